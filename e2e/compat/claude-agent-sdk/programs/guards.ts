// Guards as apps of the Claude Agent SDK write them: they compare the tool names and inputs of Claude Code.
import path from 'node:path';
import {
  type CanUseTool,
  type HookCallback,
  type HookCallbackMatcher,
  type HookEvent,
  type HookInput,
  type HookJSONOutput,
  type Options,
  type PermissionResult,
  type PreToolUseHookInput,
  query,
  type SyncHookJSONOutput,
} from '@qwen/sdk';

interface BashInput {
  command: string;
  description?: string;
}

interface WriteInput {
  file_path: string;
  content: string;
}

export interface Seen {
  readonly asked: string[];
  readonly hooked: string[];
  readonly denied: string[];
}

/** Denies by the callback: deletions in Bash, and everything but a few tools. */
function createCanUseTool(seen: Seen): CanUseTool {
  return async (toolName, input, { signal, suggestions, toolUseID, decisionReason, blockedPath, agentID }) => {
    seen.asked.push(toolName);
    const details = { toolUseID, decisionReason, blockedPath, agentID, aborted: signal.aborted };
    if (details.toolUseID === '' || details.aborted) return { behavior: 'deny', message: 'withdrawn' };
    if (toolName === 'Bash') {
      const { command } = input as unknown as BashInput;
      if (/\brm\b/.test(command)) {
        const denial: PermissionResult = { behavior: 'deny', message: 'No deletions.', toolUseID, interrupt: false };
        return denial;
      }
    }
    return { behavior: 'allow', updatedInput: input, updatedPermissions: suggestions?.slice(0, 0), toolUseID };
  };
}

/** Denies by a hook: writes outside of one folder. */
function createWriteGuard(folder: string, seen: Seen): HookCallback {
  return async (input: HookInput, toolUseID: string | undefined, { signal }): Promise<HookJSONOutput> => {
    if (signal.aborted) return {};
    const { tool_name: toolName, tool_input: toolInput } = input as PreToolUseHookInput;
    seen.hooked.push(`${toolName} ${toolUseID === undefined ? '' : 'with an id'}`);
    const { file_path: filePath = '' } = toolInput as Partial<WriteInput>;
    if (path.dirname(filePath) === folder) return { continue: true };
    return {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: `Write into ${folder} only.`,
      },
    };
  };
}

const log: HookCallback = async (input) => {
  const output: SyncHookJSONOutput = { systemMessage: `after ${input.hook_event_name}` };
  return output;
};

/** Runs one prompt under both guards. */
export async function guarded(prompt: string, folder: string, options: Options): Promise<Seen> {
  const seen: Seen = { asked: [], hooked: [], denied: [] };
  const hooks: Partial<Record<HookEvent, HookCallbackMatcher[]>> = {
    PreToolUse: [{ matcher: 'Write|Edit|MultiEdit', hooks: [createWriteGuard(folder, seen)], timeout: 30 }],
    PostToolUse: [{ hooks: [log] }],
  };
  for await (const message of query({
    prompt,
    options: {
      allowedTools: ['Read', 'Glob'],
      disallowedTools: ['WebFetch', 'WebSearch'],
      canUseTool: createCanUseTool(seen),
      hooks,
      permissionMode: 'default',
      settingSources: [],
      ...options,
    },
  })) {
    if (message.type !== 'result') continue;
    seen.denied.push(...message.permission_denials.map(({ tool_name }) => tool_name));
  }
  return seen;
}
