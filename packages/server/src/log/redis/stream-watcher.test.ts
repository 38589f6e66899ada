import { hasRedisServer, RedisServer } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openRedis } from '../../redis/open-redis.js';
import type { StoreListener } from '../event-store.js';
import { RedisStore } from './redis-store.js';

const IDLE: StoreListener = { reached: () => undefined, stored: () => undefined, ended: () => undefined };

test.runIf(hasRedisServer)('a session is followed after others were watched and dropped at once', async () => {
  await using server = await RedisServer.start();
  const admin = await openRedis(server.url);
  const blockedClients = async () => /blocked_clients:(\d+)/.exec(await admin.info('clients'))?.[1];
  const store = await RedisStore.open({ url: server.url });
  for (const id of ['first', 'second', 'third']) await store.create(id);

  const dropFirst = store.watch('first', IDLE);
  await expect.poll(blockedClients).toBe('1');
  dropFirst();
  store.watch('second', IDLE)();
  await expect.poll(blockedClients).toBe('0');

  // By then the watcher has its reply, too.
  await admin.ping();
  const followed = new Promise((resolve) => store.watch('third', { ...IDLE, stored: resolve }));
  await expect.poll(blockedClients).toBe('1');
  await store.append([{ sessionId: 'third', events: [{ type: 'note', data: '{}' }] }]);
  await followed;

  await store.close();
  admin.disconnect();
});
