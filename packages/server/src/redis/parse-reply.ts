import { AgentError } from '@qwen/protocol';
import type * as z from 'zod/mini';

/** What came out of Redis, where others may have written too. Throws `storage_damaged`. */
export function parseReply<Reply>(schema: z.ZodMiniType<Reply>, reply: unknown): Reply {
  const parsed = schema.safeParse(reply);
  if (parsed.success) return parsed.data;
  throw new AgentError('storage_damaged', `Redis gave an answer that we do not understand: ${parsed.error.message}`);
}
