import type { ErrorCode } from '@qwen/protocol';
import { AgentError, ERROR_CODES } from '@qwen/protocol';
import * as z from 'zod/mini';

const verdictSchema = z.discriminatedUnion('behavior', [
  z.object({
    behavior: z.literal('allow'),
    updatedInput: z.optional(z.record(z.string(), z.unknown())),
    suggestion: z.optional(z.int()),
  }),
  z.object({ behavior: z.literal('deny'), message: z.optional(z.string()), suggestion: z.optional(z.int()) }),
]);

const turnWordSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('cancel'), turnId: z.string() }),
  z.object({
    kind: z.literal('approve'),
    approvalId: z.optional(z.string()),
    turnId: z.optional(z.string()),
    toolUseId: z.optional(z.string()),
    verdict: verdictSchema,
  }),
  z.object({ kind: z.literal('leave') }),
]);

/** `elsewhere`: the process does not have the session. */
const heardSchema = z.enum(['yes', 'no', 'elsewhere']);
export type Heard = z.infer<typeof heardSchema>;

/** What processes say to each other. */
const postSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('turn'), sessionId: z.string() }),
  z.object({
    kind: z.literal('word'),
    id: z.string(),
    from: z.string(),
    sessionId: z.string(),
    word: turnWordSchema,
  }),
  z.object({ kind: z.literal('answer'), id: z.string(), heard: heardSchema }),
  z.object({ kind: z.literal('failure'), id: z.string(), code: z.string(), message: z.string() }),
]);
export type Post = z.infer<typeof postSchema>;

/** Undefined for what is none of ours, or of another version. */
export function toPost(text: string): Post | undefined {
  try {
    const parsed = postSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** What another process threw. */
export function toFailure({ code, message }: Extract<Post, { kind: 'failure' }>): AgentError {
  return new AgentError(isErrorCode(code) ? code : 'internal', message);
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CODES, code);
}
