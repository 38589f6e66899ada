import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { hasRedisServer, RedisServer, type TemporaryFolder, temporaryFolder } from '@qwen/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openRedis } from '../../redis/open-redis.js';
import { Conversations } from '../../store/redis/conversations.js';
import { TravellingConversation } from './travelling-conversation.js';

describe.runIf(hasRedisServer)('a conversation that travels', () => {
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
    const conversations = new Conversations(redis, `round-${rounds}:`);
    const travelling = new TravellingConversation({ lease: { sessionId: 's', fence }, path, conversations });
    return Object.assign(travelling, { path, conversations });
  }

  test('arrives as it left, however long, without the line that is not whole', async () => {
    const one = conversation(1, 'one');
    await one.bring();
    await writeFile(one.path, `{"text":"${'ä☃😀'.repeat(100_000)}"}\n`);
    one.touch();
    await appendFile(one.path, '{"b":2}\n{"half');
    await one.save();
    const two = conversation(2, 'two');
    await two.bring();
    const whole = (await readFile(one.path, 'utf8')).replace('{"half', '');
    expect(await readFile(two.path, 'utf8')).toBe(whole);
    await appendFile(two.path, '{"c":3}\n');
    await two.save();
    const three = conversation(3, 'one');
    await three.bring();
    expect(await readFile(three.path, 'utf8')).toBe(`${whole}{"c":3}\n`);
    await three.clear();
    expect(await readdir(folder.path)).toEqual(['two.jsonl']);
  });

  test('is not written by who has it no more, nor after it was deleted', async () => {
    const one = conversation(1, 'one');
    await one.bring();
    await writeFile(one.path, '{"a":1}\n');
    await one.save();
    const two = conversation(2, 'two');
    await two.bring();
    await appendFile(one.path, '{"late":1}\n');
    await expect(one.save()).rejects.toMatchObject({ code: 'lease_lost' });
    await two.conversations.delete('s');
    await appendFile(two.path, '{"late":2}\n');
    await expect(two.save()).rejects.toMatchObject({ code: 'lease_lost' });
    expect((await two.conversations.read('s', { start: 0, end: 99 })).length).toBe(0);
  });

  test('a file that is there and none in Redis: what Redis says counts', async () => {
    const one = conversation(1, 'one');
    await writeFile(one.path, '{"of":"a worker that died"}\n');
    await one.bring();
    expect(await readdir(folder.path)).toEqual([]);
    await one.save();
  });
});
