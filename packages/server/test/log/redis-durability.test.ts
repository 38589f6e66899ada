import { randomUUID } from 'node:crypto';
import { hasRedisServer, RedisServer, verifies } from '@qwen/testkit';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openEventLog } from '../../src/log/open-event-log.js';
import { APPEND } from '../../src/log/redis/scripts.js';
import { runScript } from '../../src/redis/redis-script.js';
import { KILL_ROUNDS, killSomewhere, startWriter } from '../killed-writers.js';
import { filled, isEvent, isKind, numbered, seqsOf, takeUntil, upTo } from '../log-readers.js';

describe.runIf(hasRedisServer)('a real Redis', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  async function open() {
    const log = await openEventLog(server.url);
    return Object.assign(log, { [Symbol.asyncDispose]: () => log.close() });
  }

  const ROUNDS = Math.ceil(KILL_ROUNDS / 5);

  test(`nothing acknowledged is lost when writer or Redis are killed, ${ROUNDS} times`, {
    timeout: 30_000 + ROUNDS * 2000,
  }, async () => {
    verifies('F81');
    let kept = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      await using writer = await startWriter(server.url, kept + 1);
      const acknowledged = await killSomewhere(writer, kept);
      if (round % 2 === 1) {
        await server.kill();
        await server.restart();
      }
      await using log = await open();
      using subscription = await log.attach('a');
      const items = await takeUntil(subscription, isKind('caught_up'));
      const events = items.flatMap((item) => (item.kind === 'event' ? [item.event] : []));
      expect(events.map(({ seq }) => seq)).toEqual(upTo(events.length));
      expect(events.map(({ data }) => Number(data))).toEqual(upTo(events.length));
      expect(events.length).toBeGreaterThanOrEqual(acknowledged);
      kept = events.length;
    }
  });

  test('two processes append to one session and follow it; one that is killed does not stop the other', async () => {
    await using one = await open();
    await using two = await open();
    const id = randomUUID();
    await one.create(id);
    using subscription = await one.attach(id);
    const reading = takeUntil(subscription, isEvent(60));
    for (let round = 0; round < 10; round += 1) {
      await Promise.all([one.append(id, numbered(1, 3)), two.append(id, numbered(1, 3))]);
    }
    expect(seqsOf(await reading)).toEqual(upTo(60));
    const ended = takeUntil(subscription, isKind('end'));
    await two.delete(id);
    expect((await ended).at(-1)).toEqual({ kind: 'end', reason: 'deleted', seq: 60 });
  });

  test('Redis restarts: writers and readers continue, and nothing is lost or duplicated', async () => {
    verifies('T15');
    await using log = await open();
    const id = randomUUID();
    await filled(log, id, 1);
    using subscription = await log.attach(id);
    await takeUntil(subscription, isKind('caught_up'));
    let lastSeq = 1;
    for (let round = 0; round < 3; round += 1) {
      const reading = takeUntil(subscription, isEvent(lastSeq + 20));
      const appends = upTo(10).map((n) => log.append(id, numbered(lastSeq + 2 * n - 1, lastSeq + 2 * n)));
      // In flight, or not even sent: the connection is gone before they are answered.
      await server.kill();
      await server.restart();
      await Promise.all(appends);
      const items = await reading;
      expect(seqsOf(items)).toEqual(upTo(lastSeq + 20, lastSeq + 1));
      lastSeq += 20;
    }
    expect((await log.read(id)).events.map(({ data }) => Number(data))).toEqual(upTo(61));
  });

  test('a cut connection loses nothing for a reader', async () => {
    await using log = await open();
    await using other = await open();
    const id = randomUUID();
    await filled(log, id, 1);
    using subscription = await log.attach(id);
    await takeUntil(subscription, isKind('caught_up'));
    const admin = new Redis(server.url);
    for (let round = 1; round <= 5; round += 1) {
      const reading = takeUntil(subscription, isEvent(1 + round * 10));
      await Promise.all([
        admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'),
        other.append(id, numbered(1, 10)),
      ]);
      expect(seqsOf(await reading)).toEqual(upTo(1 + round * 10, round * 10 - 8));
    }
    admin.disconnect();
  });

  test('a step that is sent twice is applied once', async () => {
    await using log = await open();
    const id = randomUUID();
    await log.create(id);
    const redis = new Redis(server.url);
    const keys = ['meta', 'events', 'ids', 'writers'].map((name) => `qwen:log:{${id}}:${name}`);
    const step = (number: number) =>
      runScript(redis, APPEND, {
        keys,
        args: ['w', number, Date.now(), '', 'x', '1', '', '', 70, 'x', '2', '', '', 70],
      });
    expect([await step(1), await step(1), await step(2)]).toEqual([
      [1, 2],
      [1, 2],
      [3, 4],
    ]);
    await redis.script('FLUSH');
    expect(await step(2)).toEqual([3, 4]);
    expect((await log.read(id)).lastSeq).toBe(4);
    redis.disconnect();
  });

  test('a writer with an older fence writes nothing, also in a batch with others', async () => {
    await using log = await open();
    await using slow = await open();
    const id = randomUUID();
    await log.create(id);
    await slow.append(id, numbered(1, 1), { fence: '1:slow' });
    await log.append(id, numbered(2, 2), { fence: '2:quick' });
    const late = [slow.append(id, numbered(3, 3), { fence: '1:slow' }), slow.append(id, numbered(4, 4))];
    expect((await Promise.allSettled(late)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    await expect(late[0]).rejects.toMatchObject({ code: 'lease_lost' });
    await log.append(id, numbered(5, 5), { fence: '2:quick' });
    expect((await log.read(id)).events.map(({ data }) => data)).toEqual(['1', '2', '4', '5']);
  });

  test('every key of a session is in its slot', async () => {
    await using log = await open();
    const id = randomUUID();
    await log.create(id);
    await log.append(id, [{ type: 'x', data: '1', eventId: 'e' }]);
    const redis = new Redis(server.url);
    const names = await redis.keys(`*${id}*`);
    expect(names.toSorted()).toEqual(['events', 'ids', 'meta', 'writers'].map((name) => `qwen:log:{${id}}:${name}`));
    await log.delete(id);
    expect(await redis.keys(`*${id}*`)).toEqual([`qwen:log:{${id}}:events`]);
    expect(await redis.pttl(`qwen:log:{${id}}:events`)).toBeGreaterThan(0);
    redis.disconnect();
  });
});

test('without a Redis, opening fails with that reason', async () => {
  await expect(openEventLog('redis://127.0.0.1:1')).rejects.toMatchObject({ code: 'storage_unreachable' });
});
