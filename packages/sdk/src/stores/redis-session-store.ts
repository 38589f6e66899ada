import { parseEntry, type SessionKey, type SessionStore, type SessionStoreEntry } from './session-store.js';

/** A connected client of `ioredis` or `redis`. */
export type RedisClient =
  | { call(command: string, ...values: string[]): Promise<unknown> }
  | { sendCommand(command: string[]): Promise<unknown> };

export interface RedisSessionStoreOptions {
  /** The app connects and closes it. */
  readonly client: RedisClient;
  /** Start of all keys. Default: `qwen`. */
  readonly prefix?: string | undefined;
}

/** All entries or none. KEYS: entries, ids, sessions, subpaths. ARGV: time, session, subpath, then id and entry each. */
const APPEND = `
local last = redis.call('ZREVRANGE', KEYS[3], 0, 0, 'WITHSCORES')
local time = tonumber(ARGV[1])
if last[2] and tonumber(last[2]) >= time then time = tonumber(last[2]) + 1 end
for i = 4, #ARGV, 2 do
  if ARGV[i] == '' or redis.call('SADD', KEYS[2], ARGV[i]) == 1 then redis.call('RPUSH', KEYS[1], ARGV[i + 1]) end
end
if ARGV[3] == '' then redis.call('ZADD', KEYS[3], time, ARGV[2]) else redis.call('SADD', KEYS[4], ARGV[3]) end
return 1`;

/**
 * A session store in Redis 6 or newer, also in a cluster: all keys of a project are in one slot.
 *
 * @example
 * import { query } from '@qwen/sdk';
 * import { type RedisClient, RedisSessionStore } from '@qwen/sdk/stores';
 *
 * async function remember(client: RedisClient): Promise<void> {
 *   const sessionStore = new RedisSessionStore({ client });
 *   for await (const message of query({ prompt: 'Remember: 42', options: { sessionStore } })) console.log(message);
 * }
 * console.log(remember);
 */
export class RedisSessionStore implements SessionStore {
  readonly #client: RedisClient;
  readonly #prefix: string;

  constructor({ client, prefix = 'qwen' }: RedisSessionStoreOptions) {
    this.#client = client;
    this.#prefix = prefix;
  }

  async append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void> {
    const [list, ids, sessions, subpaths] = this.#keysOf(key);
    const values = entries.flatMap((entry) => [entry.uuid ?? '', JSON.stringify(entry)]);
    const about = [String(Date.now()), key.sessionId, key.subpath ?? ''];
    await this.#run(['EVAL', APPEND, '4', list, ids, sessions, subpaths, ...about, ...values]);
  }

  async load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    const entries = toTexts(await this.#run(['LRANGE', this.#keysOf(key)[0], '0', '-1']));
    return entries.length === 0 ? null : entries.map(parseEntry);
  }

  async listSessions(projectKey: string): Promise<{ sessionId: string; mtime: number }[]> {
    const sessions = this.#keysOf({ projectKey, sessionId: '' })[2];
    const texts = toTexts(await this.#run(['ZRANGE', sessions, '0', '-1', 'WITHSCORES']));
    const found: { sessionId: string; mtime: number }[] = [];
    for (let index = 0; index < texts.length; index += 2) {
      found.push({ sessionId: texts[index] ?? '', mtime: Number(texts[index + 1]) });
    }
    return found;
  }

  async delete(key: SessionKey): Promise<void> {
    const [list, ids, sessions, subpaths] = this.#keysOf(key);
    await this.#run(['DEL', list, ids]);
    if (key.subpath !== undefined) {
      await this.#run(['SREM', subpaths, key.subpath]);
      return;
    }
    for (const subpath of await this.listSubkeys(key)) {
      const [subList, subIds] = this.#keysOf({ ...key, subpath });
      await this.#run(['DEL', subList, subIds]);
    }
    await this.#run(['DEL', subpaths]);
    await this.#run(['ZREM', sessions, key.sessionId]);
  }

  async listSubkeys(key: { projectKey: string; sessionId: string }): Promise<string[]> {
    return toTexts(await this.#run(['SMEMBERS', this.#keysOf(key)[3]]));
  }

  #run(command: string[]): Promise<unknown> {
    const client = this.#client;
    // Clients of ioredis have both, with another meaning of `sendCommand`.
    if ('call' in client) return client.call(command[0] ?? '', ...command.slice(1));
    return client.sendCommand(command);
  }

  #keysOf({ projectKey, sessionId, subpath = '' }: SessionKey): readonly [string, string, string, string] {
    const [project, session, sub] = [projectKey, sessionId, subpath].map(encodeURIComponent);
    const base = `${this.#prefix}:{${project}}:${session}`;
    const sessions = `${this.#prefix}:{${project}}`;
    return [`${base}:entries:${sub}`, `${base}:ids:${sub}`, `${sessions}:sessions`, `${base}:subpaths`];
  }
}

function toTexts(answer: unknown): string[] {
  if (!Array.isArray(answer)) throw new TypeError(`Unexpected answer of Redis: ${JSON.stringify(answer)}`);
  const values: unknown[] = answer;
  // RESP 3 nests the members of a sorted set.
  return values.flat().map(String);
}
