import { hasRedisServer, RedisServer } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openRedis } from './open-redis.js';
import { ReplicaBarrier } from './replica-barrier.js';

test.runIf(hasRedisServer)('passes when the replicas have all writes, and fails when they do not', async () => {
  await using server = await RedisServer.start(['--repl-diskless-sync-delay', '0']);
  const source = ['--replicaof', '127.0.0.1', new URL(server.url).port];
  await using replica = await RedisServer.start(source);
  await expect.poll(() => replica.cli('info', 'replication'), { timeout: 20_000 }).toContain('master_link_status:up');
  const [redis, waiting] = await Promise.all([openRedis(server.url), openRedis(server.url)]);
  const barrier = new ReplicaBarrier({ redis: waiting, replicas: 1 });
  await redis.set('a', '1');
  await barrier.pass();
  expect(replica.cli('get', 'a')).toBe('1\n');

  // More calls than requests, each after its own write.
  const calls = Array.from({ length: 10 }, async (_, index) => {
    await redis.set(`key-${index}`, '1');
    await barrier.pass();
    return replica.cli('get', `key-${index}`);
  });
  expect(new Set(await Promise.all(calls))).toEqual(new Set(['1\n']));

  replica.signal('SIGSTOP');
  await redis.set('b', '2');
  await expect(barrier.pass()).rejects.toMatchObject({ code: 'storage_unreachable', retryable: true });
  replica.signal('SIGCONT');
  await expect
    .poll(
      () =>
        barrier.pass().then(
          () => 'passed',
          () => 'failed',
        ),
      { timeout: 10_000 },
    )
    .toBe('passed');
  for (const each of [redis, waiting]) each.disconnect();
});
