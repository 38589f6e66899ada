import { createHash } from 'node:crypto';
import { AgentError } from '@qwen/protocol';
import type { Redis } from 'ioredis';
import type * as z from 'zod/mini';

export interface RedisScript {
  readonly source: string;
  readonly sha: string;
}

export function redisScript(source: string): RedisScript {
  return { source, sha: createHash('sha1').update(source).digest('hex') };
}

export type RedisArgument = string | number | Buffer;

/** Sends the source only if the server does not have the script. */
export async function runScript(
  redis: Redis,
  { source, sha }: RedisScript,
  { keys, args }: { readonly keys: readonly string[]; readonly args: readonly RedisArgument[] },
): Promise<unknown> {
  try {
    return await redis.evalsha(sha, keys.length, ...keys, ...args);
  } catch (error) {
    // Redis has no other error code than the first word of the message.
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT '))) throw error;
    return redis.eval(source, keys.length, ...keys, ...args);
  }
}

/** Validates a reply, because other programs may write to this Redis. Throws `storage_damaged`. */
export function parseReply<Reply>(schema: z.ZodMiniType<Reply>, reply: unknown): Reply {
  const parsed = schema.safeParse(reply);
  if (parsed.success) return parsed.data;
  throw new AgentError('storage_damaged', `Redis returned an unexpected reply: ${parsed.error.message}`);
}
