// Start a conversation on one machine and continue it on another; both store sessions in one Redis.
//   QWEN_SERVER_STORE=redis://127.0.0.1:6379 node 18-two-machines/main.ts
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Machine } from './machine.ts';

const redisUrl = process.env['QWEN_SERVER_STORE'] ?? 'redis://127.0.0.1:6379';
const homes = await mkdtemp(join(tmpdir(), 'two-machines-'));

try {
  const one = await Machine.start({ home: join(homes, 'one'), redisUrl });
  const sessionId = await one.newSession();
  console.log(`one: ${await one.say(sessionId, 'The espresso costs 2.40 EUR.')}`);
  await one.stop();

  // Another home and process: the history comes from Redis.
  const two = await Machine.start({ home: join(homes, 'two'), redisUrl });
  console.log(`two: ${await two.say(sessionId, 'What does the espresso cost?')}`);
  await two.stop();
} finally {
  await rm(homes, { recursive: true, force: true });
}
