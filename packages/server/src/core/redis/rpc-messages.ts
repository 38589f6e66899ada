import type { ErrorCode } from '@qwen/protocol';
import { AgentError, ERROR_CODES } from '@qwen/protocol';
import * as z from 'zod/mini';

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
]);

/** `elsewhere`: the process does not have the session. */
const ackSchema = z.enum(['yes', 'no', 'elsewhere']);
export type Ack = z.infer<typeof ackSchema>;

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
