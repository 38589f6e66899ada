import { hasRedisServer, RedisServer } from '@qwen/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aSession, aThread, aTurn, sessionStoreContract } from '../../../test/session-store.contract.js';
import { openRedis } from '../../redis/open-redis.js';
import { RedisSessionStore } from './redis-session-store.js';
import { SessionKeys, SessionKeyspace } from './session-keyspace.js';

describe.runIf(hasRedisServer)('a real Redis', () => {
  let server: RedisServer;
  let stores = 0;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  async function openKeyspace(name: string) {
    const keyspace = new SessionKeyspace(await openRedis(server.url), new SessionKeys(name));
    return Object.assign(keyspace, { [Symbol.asyncDispose]: async () => keyspace.close() });
  }

  sessionStoreContract('Redis', async () => {
    stores += 1;
    const store = new RedisSessionStore(await openKeyspace(`store-${stores}`));
    return { store, [Symbol.asyncDispose]: () => store.close() };
  });

  test('two processes see the same; acknowledged data survives a crash of Redis', async () => {
    await using one = await openKeyspace('shared');
    await using two = await openKeyspace('shared');
    const [writer, reader] = [new RedisSessionStore(one), new RedisSessionStore(two)];
    await writer.create(aSession('a', { model: 'm' }), aThread('a'));
    await writer.addTurn({ turn: aTurn('a', 't1'), historyText: 'hello', maxOpenTurns: 9, refusal: 'overloaded' });
    await server.kill();
    await server.restart();
    expect(await reader.openTurns()).toEqual([aTurn('a', 't1')]);
    expect((await reader.history('a', { limit: 9, offset: 0 })).items[0]?.content).toBe('hello');
    expect((await reader.update('a', { model: undefined })).model).toBeUndefined();
    expect((await writer.get('a')).model).toBeUndefined();
  });

  test('a probe fails in a Redis without memory', async () => {
    await using full = await RedisServer.start();
    const redis = await openRedis(full.url);
    const store = new RedisSessionStore(new SessionKeyspace(redis, new SessionKeys('x')));
    await store.probe();
    await redis.config('SET', 'maxmemory', '1');
    await expect(store.probe()).rejects.toMatchObject({ code: 'storage_full' });
    await store.close();
  });

  test('an unreachable Redis is reported within seconds and without its password', async () => {
    await using gone = await RedisServer.start();
    const store = new RedisSessionStore(new SessionKeyspace(await openRedis(gone.url), new SessionKeys('x')));
    await gone.kill();
    await expect(store.count()).rejects.toMatchObject({ code: 'storage_unreachable', retryable: true });
    await expect(store.probe()).rejects.toMatchObject({ code: 'storage_unreachable' });
    await store.close();
    const refused = openRedis('redis://user:secret@127.0.0.1:1');
    await expect(refused).rejects.toMatchObject({ code: 'storage_unreachable' });
    await expect(refused).rejects.toThrow(/127\.0\.0\.1:1/);
    await expect(refused).rejects.not.toThrow(/secret/);
  });
});
