import { hasRedisServer, RedisServer } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openRedis } from './open-redis.js';
import { readRedisSettings } from './redis-settings.js';

test.runIf(hasRedisServer)('a Redis with weaker durability is reported, one that evicts is refused', async () => {
  await using server = await RedisServer.start();
  const redis = await openRedis(server.url);
  try {
    expect(await readRedisSettings(redis)).toEqual({ warnings: [], replicas: 0 });
    await redis.config('SET', 'appendfsync', 'everysec');
    expect(await readRedisSettings(redis)).toMatchObject({
      warnings: [expect.stringContaining('appendfsync everysec')],
    });
    await redis.config('SET', 'appendonly', 'no');
    expect(await readRedisSettings(redis)).toMatchObject({ warnings: [expect.stringContaining('appendonly no')] });
    await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    await expect(readRedisSettings(redis)).rejects.toMatchObject({ code: 'usage' });
    await expect(readRedisSettings(redis)).rejects.toThrow(/allkeys-lru.*noeviction/);
  } finally {
    redis.disconnect();
  }
});

test.runIf(hasRedisServer)('a Redis that hides its configuration is reported as unknown', async () => {
  await using server = await RedisServer.start();
  const admin = await openRedis(server.url);
  await admin.call('ACL', 'SETUSER', 'guest', 'on', '>secret', '~*', '&*', '+@all', '-config');
  const guest = await openRedis(server.url.replace('//', '//guest:secret@'));
  const warnings = [expect.stringContaining('cannot read the settings')];
  expect(await readRedisSettings(guest)).toEqual({ warnings, replicas: 0 });
  await admin.config('SET', 'min-replicas-to-write', '2');
  expect(await readRedisSettings(guest)).toEqual({ warnings, replicas: 1 });
  expect(await readRedisSettings(admin)).toEqual({ warnings: [], replicas: 2 });
  guest.disconnect();
  admin.disconnect();
});
