import { AgentError } from '@qwen/protocol';
import * as z from 'zod/mini';
import { askServer, type ServerQuestion } from './ask-server.js';
import type { ToolCall } from './call-tool.js';
import { toPlainText } from './plain-text.js';
import { type CallResult, callResultSchema } from './result-content.js';
import { EXTENSION } from './server-channel.js';

/** In milliseconds, between two looks at a task. */
const POLL = { default: 1000, least: 100, most: 30_000 };
const MAX_STATUS_LENGTH = 1024;

const taskSchema = z.looseObject({
  taskId: z.string(),
  status: z.string(),
  statusMessage: z.catch(z.optional(z.string()), undefined),
  pollIntervalMs: z.catch(z.optional(z.number()), undefined),
  pollInterval: z.catch(z.optional(z.number()), undefined),
  inputRequests: z.catch(z.optional(z.record(z.string(), z.unknown())), undefined),
  result: z.optional(z.unknown()),
  error: z.optional(z.looseObject({ message: z.catch(z.string(), 'The task failed.') })),
});
type Task = z.output<typeof taskSchema>;

const requestSchema = z.looseObject({ method: z.literal('elicitation/create'), params: z.optional(z.unknown()) });

export interface TaskWait {
  /** The answer to the call. */
  readonly created: unknown;
  /** The call; its signal ends the wait and cancels the task. */
  readonly question: ServerQuestion<typeof callResultSchema>;
  /** Called when the server reports a change. */
  readonly onUpdate: () => void;
}

/** Follows the task of a long call to its end (tasks extension). Rejects with `tool_failed` if it fails. */
export async function awaitTask(call: ToolCall, { created, question, onUpdate }: TaskWait): Promise<CallResult> {
  const { client, context } = call;
  const { signal, timeout } = question;
  const ask = <Schema extends z.ZodMiniType>(method: string, params: object, schema: Schema) =>
    askServer(client, { method: `${EXTENSION}${method}`, params: { ...params }, schema, timeout, signal });
  let task = z.parse(taskSchema, created);
  const { taskId } = task;
  const answered = new Set<string>();
  let shown = '';
  try {
    for (;;) {
      const { status, statusMessage = '' } = task;
      const seen = `${status} ${toPlainText(statusMessage, MAX_STATUS_LENGTH)}`.trim();
      if (seen !== shown) {
        shown = seen;
        onUpdate();
        context.emit(`${seen}\n`);
      }
      if (status === 'completed') return z.parse(callResultSchema, task.result);
      if (status === 'failed' || status === 'cancelled') {
        const reason = task.error?.message ?? statusMessage;
        throw new AgentError('tool_failed', `The task ${status === 'failed' ? 'failed' : 'was cancelled'}: ${reason}`);
      }
      const open = Object.entries(task.inputRequests ?? {}).filter(([key]) => !answered.has(key));
      if (status === 'input_required' && open.length > 0) {
        const inputResponses: Record<string, unknown> = {};
        for (const [key, request] of open) {
          inputResponses[key] = await answer(call, request, signal);
          answered.add(key);
        }
        await ask('tasks/update', { taskId, inputResponses }, z.looseObject({}));
      } else await pause(pollOf(task), signal);
      task = await ask('tasks/get', { taskId }, taskSchema);
    }
  } catch (thrown) {
    if (signal?.aborted === true) {
      const cancel = {
        method: `${EXTENSION}tasks/cancel`,
        params: { taskId },
        schema: z.looseObject({}),
        timeout: 5000,
      };
      void askServer(client, cancel).catch(() => undefined);
    }
    throw thrown;
  }
}

async function answer({ askUser }: ToolCall, request: unknown, signal: AbortSignal | undefined): Promise<object> {
  const { data } = z.safeParse(requestSchema, request);
  if (data === undefined || askUser === undefined || signal === undefined) return { action: 'decline' };
  return askUser(data.params, signal);
}

function pollOf({ pollIntervalMs, pollInterval = pollIntervalMs ?? POLL.default }: Task): number {
  return Math.min(Math.max(pollInterval, POLL.least), POLL.most);
}

function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(new AgentError('aborted', 'The task is no longer awaited.'));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, delayMs);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
