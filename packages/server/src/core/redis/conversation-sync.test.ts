import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { hasRedisServer, RedisServer, type TemporaryFolder, temporaryFolder } from '@qwen/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openRedis } from '../../redis/open-redis.js';
import { ConversationStore } from '../../store/redis/conversation-store.js';
import { ConversationSync } from './conversation-sync.js';

describe.runIf(hasRedisServer)('ConversationSync', () => {
  let server: RedisServer;
  let redis: Awaited<ReturnType<typeof openRedis>>;
  let folder: TemporaryFolder;
  let rounds = 0;
  beforeAll(async () => {
    server = await RedisServer.start();
    redis = await openRedis(server.url);
  });
  afterAll(async () => {
    redis.disconnect();
    await server[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    folder = await temporaryFolder();
    rounds += 1;
  });
  afterEach(() => folder[Symbol.asyncDispose]());

  function conversation(fence: number, machine: string) {
    const path = folder.resolve(`${machine}.jsonl`);
    const conversations = new ConversationStore(redis, { pass: async () => undefined }, `round-${rounds}:`);
    const sync = new ConversationSync({ sessionId: 's', fence: `${fence}:${machine}`, path, conversations });
    return Object.assign(sync, { path, conversations });
  }

  test('copies a conversation of any length, without its incomplete last line', async () => {
    const one = conversation(1, 'one');
    await one.restore();
    await writeFile(one.path, `{"text":"${'ä☃😀'.repeat(100_000)}"}\n`);
    void one.touch();
    await appendFile(one.path, '{"b":2}\n{"half');
    await one.persist();
    const two = conversation(2, 'two');
    await two.restore();
    const whole = (await readFile(one.path, 'utf8')).replace('{"half', '');
    expect(await readFile(two.path, 'utf8')).toBe(whole);
    await appendFile(two.path, '{"c":3}\n');
    await two.persist();
    const three = conversation(3, 'one');
    await three.restore();
    expect(await readFile(three.path, 'utf8')).toBe(`${whole}{"c":3}\n`);
    await mkdir(three.path.replace('.jsonl', '.files/copies'), { recursive: true });
    await three.discard();
    expect(await readdir(folder.path)).toEqual(['two.jsonl']);
  });

  test('refuses writes of a previous holder, and all writes after the deletion', async () => {
    const one = conversation(1, 'one');
    await one.restore();
    await writeFile(one.path, '{"a":1}\n');
    await one.persist();
    const two = conversation(2, 'two');
    await two.restore();
    await appendFile(one.path, '{"late":1}\n');
    await expect(one.persist()).rejects.toMatchObject({ code: 'lease_lost' });
    await two.conversations.delete('s');
    await appendFile(two.path, '{"late":2}\n');
    await expect(two.persist()).rejects.toMatchObject({ code: 'lease_lost' });
    expect((await two.conversations.read('s', { start: 0, end: 99 })).length).toBe(0);
  });

  test('if a file exists without a copy in Redis, Redis applies', async () => {
    const one = conversation(1, 'one');
    await writeFile(one.path, '{"of":"a worker that died"}\n');
    await one.restore();
    expect(await readdir(folder.path)).toEqual([]);
    await one.persist();
  });
});
