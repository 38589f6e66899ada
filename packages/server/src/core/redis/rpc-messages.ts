import type { ErrorCode } from '@qwen/protocol';
import { AgentError, CONTROL_REQUESTS, ERROR_CODES } from '@qwen/protocol';
import * as z from 'zod/mini';
import type { TaskReply } from '../turn-dispatcher.js';

const verdictSchema = z.discriminatedUnion('behavior', [
  z.object({
    behavior: z.literal('allow'),
    actor: z.optional(z.string()),
    updatedInput: z.optional(z.record(z.string(), z.unknown())),
    suggestion: z.optional(z.int()),
  }),
  z.object({
    behavior: z.literal('deny'),
    actor: z.optional(z.string()),
    message: z.optional(z.string()),
    suggestion: z.optional(z.int()),
  }),
]);

const turnCommandSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('cancel'), turnId: z.string() }),
  z.object({
    kind: z.literal('approve'),
    approvalId: z.optional(z.string()),
    turnId: z.optional(z.string()),
    toolUseId: z.optional(z.string()),
    verdict: verdictSchema,
  }),
  z.object({ kind: z.literal('steer'), turnId: z.string(), priority: z.enum(['now', 'next']) }),
  z.object({ kind: z.literal('leave') }),
  z.object({ kind: z.literal('list-tasks') }),
  z.object({ kind: z.literal('task-output'), taskId: z.string() }),
  z.object({ kind: z.literal('stop-task'), taskId: z.string() }),
]);

/** `elsewhere`: the process does not have the session. */
const ackSchema = z.union([
  z.enum(['yes', 'no', 'elsewhere']),
  CONTROL_REQUESTS.list_tasks.result,
  CONTROL_REQUESTS.get_task_output.result,
]);
export type Ack = 'yes' | 'no' | 'elsewhere' | TaskReply;

const rpcMessageSchema = z.discriminatedUnion('kind', [
  // Published by the script ADD_TURN.
  z.object({ kind: z.literal('turn'), sessionId: z.string() }),
  z.object({
    kind: z.literal('request'),
    id: z.string(),
    from: z.string(),
    sessionId: z.string(),
    command: turnCommandSchema,
  }),
  z.object({ kind: z.literal('ack'), id: z.string(), ack: ackSchema }),
  z.object({ kind: z.literal('failure'), id: z.string(), code: z.string(), message: z.string() }),
]);
export type RpcMessage = z.infer<typeof rpcMessageSchema>;

export function parseRpcMessage(text: string): RpcMessage | undefined {
  try {
    const parsed = rpcMessageSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

export function toFailure({ code, message }: Extract<RpcMessage, { kind: 'failure' }>): AgentError {
  return new AgentError(isErrorCode(code) ? code : 'internal', message);
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CODES, code);
}
