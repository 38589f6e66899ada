import { hasRedisServer, RedisServer } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openRedis } from '../../redis/open-redis.js';
import { SessionKeys } from '../../store/redis/session-keyspace.js';
import { RedisRpc } from './redis-rpc.js';

const command = { kind: 'leave' } as const;

test.runIf(hasRedisServer)('a call ends at its deadline and at the close while Redis does not answer', async () => {
  await using server = await RedisServer.start();
  const [admin, redis, subscriber] = await Promise.all([1, 2, 3].map(() => openRedis(server.url)));
  if (admin === undefined || redis === undefined || subscriber === undefined) throw new Error('not connected');
  const rpc = new RedisRpc({ processId: 'here', keys: new SessionKeys('test:'), redis, subscriber });
  await admin.call('CLIENT', 'PAUSE', 60_000, 'ALL');
  const request = { to: 'there', sessionId: 'sesn_1', command };
  await expect(rpc.call({ ...request, timeoutMs: 1 })).rejects.toMatchObject({ code: 'timeout' });
  const pending = rpc.call({ ...request, timeoutMs: 60_000 });
  rpc.close();
  await expect(pending).rejects.toMatchObject({ code: 'channel_closed' });
  for (const each of [admin, redis]) each.disconnect();
});
