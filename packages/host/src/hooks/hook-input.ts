import type { HookMoment } from '@qwen/agent';
import { canonicalToolName, guardNames, type HookInput, isJsonObject, type ToolVocabulary } from '@qwen/protocol';
import type { CallView } from './call-views.js';

export interface HookSession {
  readonly sessionId: string;
  /** The session file; empty when nothing is stored. */
  readonly transcriptPath: string;
  readonly cwd: string;
  readonly permissionMode: string;
}

/** The input of a hook. `view`: the tool call in the terms of the hook. Pure. */
export function toHookInput(moment: HookMoment, facts: HookSession, view?: CallView): HookInput {
  const common = {
    session_id: facts.sessionId,
    transcript_path: facts.transcriptPath,
    cwd: facts.cwd,
    permission_mode: facts.permissionMode,
  };
  switch (moment.event) {
    case 'PreToolUse':
      return { ...common, hook_event_name: moment.event, ...toCall(moment.call, view) };
    case 'PostToolUse':
      return {
        ...common,
        hook_event_name: moment.event,
        ...toCall(moment.call, view),
        ...toResponse(moment, view),
        is_error: moment.isError,
      };
    case 'PostToolUseFailure':
      return { ...common, hook_event_name: moment.event, ...toCall(moment.call, view), error: moment.error };
    case 'PermissionRequest':
      return {
        ...common,
        hook_event_name: moment.event,
        ...toCall(moment.call, view),
        reason: moment.reason,
        blocked_path: moment.blockedPath,
        permission_suggestions: [...moment.suggestions],
      };
    case 'UserPromptSubmit':
      return { ...common, hook_event_name: moment.event, prompt: moment.prompt };
    case 'Stop':
      return { ...common, hook_event_name: moment.event, ...toStop(moment) };
    case 'SubagentStart':
      return { ...common, hook_event_name: moment.event, ...toSubagent(moment), prompt: moment.prompt };
    case 'SubagentStop':
      return { ...common, hook_event_name: moment.event, ...toStop(moment), ...toSubagent(moment) };
    case 'SessionStart':
      return { ...common, hook_event_name: moment.event, source: moment.source };
    case 'SessionEnd':
      return { ...common, hook_event_name: moment.event, reason: moment.reason };
    case 'PreCompact':
      return { ...common, hook_event_name: moment.event, trigger: moment.trigger };
    case 'Notification':
      return {
        ...common,
        hook_event_name: moment.event,
        notification_type: moment.kind,
        message: moment.message,
      };
  }
}

/** The names a matcher is tested against; undefined when every hook of the event matches. */
export function subjectOf(moment: HookMoment, vocabulary?: ToolVocabulary): readonly string[] | undefined {
  switch (moment.event) {
    case 'PreToolUse':
    case 'PostToolUse':
    case 'PostToolUseFailure':
    case 'PermissionRequest':
      return namesOf(moment.call, vocabulary);
    case 'SubagentStart':
    case 'SubagentStop':
      return [moment.agent];
    case 'SessionStart':
      return [moment.source];
    case 'SessionEnd':
      return [moment.reason];
    case 'PreCompact':
      return [moment.trigger];
    case 'Notification':
      return [moment.kind];
    case 'UserPromptSubmit':
    case 'Stop':
      return undefined;
  }
}

function toStop({ isActive, lastText }: { readonly isActive: boolean; readonly lastText: string }) {
  return { stop_hook_active: isActive, last_assistant_message: lastText };
}

function toSubagent({ agent, parentToolUseId }: { readonly agent: string; readonly parentToolUseId: string }) {
  return { agent, parent_tool_use_id: parentToolUseId, agent_type: agent, agent_id: parentToolUseId };
}

type Call = Extract<HookMoment, { event: 'PreToolUse' }>['call'];

function namesOf({ toolName, aliases, input }: Call, vocabulary: ToolVocabulary = 'qwen'): readonly string[] {
  const names = guardNames(vocabulary, toolName);
  if (names.length === 0) return [toolName, ...aliases];
  // An edit of nothing creates a file.
  const creates = toolName === 'edit' && isJsonObject(input) && input['old_string'] === '';
  return creates ? [...names, ...guardNames(vocabulary, 'write_file')] : names;
}

type PostToolUse = Extract<HookMoment, { event: 'PostToolUse' }>;

/** A hook that calls the tool by another name expects the result in the form of another program. */
function toResponse(
  { call, response, structured }: PostToolUse,
  { name }: Pick<CallView, 'name'> = { name: call.toolName },
) {
  if (structured === undefined) return { tool_response: response };
  const isForeign = name !== call.toolName && canonicalToolName(name) === call.toolName;
  return { tool_response: isForeign ? structured : response, tool_use_result: structured };
}

function toCall(call: Call, view: CallView = { name: call.toolName, input: call.input }) {
  return {
    tool_name: view.name,
    canonical_tool_name: call.toolName,
    tool_input: view.input,
    tool_use_id: call.callId,
    parent_tool_use_id: call.parentToolUseId,
    ...(call.agent !== undefined && { agent: call.agent, agent_type: call.agent }),
    ...(call.parentToolUseId !== null && { agent_id: call.parentToolUseId }),
  };
}
