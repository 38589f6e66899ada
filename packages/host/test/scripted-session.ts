import { AgentSession, type AnyTool, type PermissionPort } from '@qwen/agent';
import type { Model, ModelPart, ModelRequest } from '@qwen/models';
import { NO_USAGE } from '@qwen/protocol';
import { createFakeClock } from '@qwen/testkit';
import type { SessionStart } from '../src/agent-host-options.js';

/** One answer of the model: parts, yielded in order. */
export type Reply = (signal: AbortSignal) => AsyncIterable<ModelPart> | Iterable<ModelPart>;

export const replies = (text: string): Reply =>
  function* answer() {
    yield { type: 'start' };
    yield { type: 'text_delta', text };
    yield { type: 'finish', reason: 'stop', usage: NO_USAGE };
  };

/** A tool that may run unasked and says its name. */
export const namedTool = (name: string): AnyTool => ({
  name,
  aliases: [],
  description: '',
  inputSchema: { type: 'object' },
  kind: 'read',
  parse: (input) => input,
  paths: () => [],
  execute: async () => ({ content: name }),
});

/** Says nothing until it is aborted. */
export const hangs: Reply = async function* answer(signal) {
  yield { type: 'start' };
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
};

export interface ScriptedAgent {
  readonly requests: ModelRequest[];
  /** Logs that were closed. */
  readonly closedLogs: number;
  /** A real session over this script; fits `AgentHostOptions.prepare`. */
  create(start: SessionStart): AgentSession;
}

export interface ScriptedAgentOptions {
  readonly tools?: readonly AnyTool[];
  readonly permissions?: PermissionPort;
  /** Names that cannot be made into a model. */
  readonly brokenModels?: readonly string[];
}

/** A real agent session, in memory, whose model says what the script holds: reply n to call n, the last one again. */
export function scriptAgent(script: readonly Reply[], options: ScriptedAgentOptions = {}): ScriptedAgent {
  const requests: ModelRequest[] = [];
  const model: Model = {
    async *stream(request, { signal }) {
      requests.push(request);
      yield* script[Math.min(requests.length, script.length) - 1]?.(signal) ?? [];
    },
  };
  const denies: PermissionPort = { ask: async () => ({ behavior: 'deny', message: 'Nobody is here.' }) };
  let closedLogs = 0;
  return {
    requests,
    get closedLogs() {
      return closedLogs;
    },
    create: (start) =>
      new AgentSession({
        sessionId: '6b0d34d6-5c1f-4a52-8b0f-6b1c1f6c0a11',
        cwd: '/workspace',
        model: start.model,
        createModel: async (id) => {
          if (options.brokenModels?.includes(id) === true) throw new Error(`no model ${id}`);
          return model;
        },
        tools: options.tools ?? [],
        systemPrompt: start.systemPrompt ?? 'You are tested.',
        permissions: options.permissions ?? denies,
        permissionMode: start.permissionMode,
        rules: { allow: [], ask: [], deny: [] },
        paths: { resolve: async (path) => ({ path, realPath: path, insideRoots: true }) },
        log: {
          append: async () => undefined,
          close: async () => {
            closedLogs += 1;
          },
        },
        clock: createFakeClock(),
      }),
  };
}
