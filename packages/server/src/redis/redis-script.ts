import { createHash } from 'node:crypto';
import { AgentError } from '@qwen/protocol';
import type { Redis } from 'ioredis';
import type * as z from 'zod/mini';

/** A script that Redis runs in one step. */
export interface RedisScript {
  readonly source: string;
  readonly sha: string;
}

export function redisScript(source: string): RedisScript {
  return { source, sha: createHash('sha1').update(source).digest('hex') };
}

export type RedisArgument = string | number | Buffer;

/** Runs a script, sending its text only when the server does not have it. */
export async function runScript(
  redis: Redis,
  { source, sha }: RedisScript,
  { keys, args }: { readonly keys: readonly string[]; readonly args: readonly RedisArgument[] },
): Promise<unknown> {
  try {
    return await redis.evalsha(sha, keys.length, ...keys, ...args);
  } catch (error) {
    // The first word of an error of Redis is its code; there is no other place for it.
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT '))) throw error;
    return redis.eval(source, keys.length, ...keys, ...args);
  }
}

/** What came out of Redis, where others may have written too. Throws `storage_damaged`. */
export function parseReply<Reply>(schema: z.ZodMiniType<Reply>, reply: unknown): Reply {
  const parsed = schema.safeParse(reply);
  if (parsed.success) return parsed.data;
  throw new AgentError('storage_damaged', `Redis gave an answer that we do not understand: ${parsed.error.message}`);
}
