import { hasRedisServer, RedisServer } from '@qwen/testkit';
import { afterAll, beforeAll, describe } from 'vitest';
import { describeEventLog, type EventStorage } from '../../../test/event-log.contract.js';
import { describeSchedules } from '../../../test/schedules.contract.js';
import { describeSlowReaders } from '../../../test/slow-readers.contract.js';
import { RedisStore } from './redis-store.js';

describe.runIf(hasRedisServer)('a real Redis', () => {
  let server: RedisServer;
  let stores = 0;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  async function openPlace(): Promise<EventStorage> {
    stores += 1;
    const prefix = `store-${stores}:`;
    return { open: () => RedisStore.open({ url: server.url, prefix }), [Symbol.asyncDispose]: async () => undefined };
  }

  describeEventLog('Redis', openPlace);
  describeSlowReaders('Redis', openPlace);
  describeSchedules('Redis', openPlace);
});
