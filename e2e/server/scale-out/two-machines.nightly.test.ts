import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { calls, hasRedisServer, isolatedEnvironment, says, temporaryFolder, verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { FaithfulReader, type ReadEvent } from '../reconnect/faithful-reader.ts';
import type { MortalServer } from '../reconnect/mortal-server.ts';
import { openCluster } from './cluster.ts';

const CLI = fileURLToPath(new URL('../../../packages/cli/bin/qwen.js', import.meta.url));
const say = (content: string) => ({ events: [{ type: 'user.message', content }] });
const ofType = (wanted: string) => (event: ReadEvent) => event.type === wanted;
const IDLE = 'session.status_idle';
const bodyOf = ({ text }: ReadEvent): Readonly<Record<string, unknown>> => Object(JSON.parse(text));
const typesOf = (events: readonly ReadEvent[], wanted: string) => events.filter(({ type }) => type === wanted);

/** Reads up to this number of events of a type. */
async function readUntil(
  { reader, front }: { readonly reader: FaithfulReader; readonly front: MortalServer },
  type: string,
  times = 1,
): Promise<void> {
  while (typesOf(reader.events, type).length < times) await reader.read(front, ofType(type));
}

async function newSession(front: MortalServer, approvalMode = 'yolo'): Promise<string> {
  const asked = { incremental_streaming_enabled: true, approval_mode: approvalMode };
  return String((await front.post('/sessions', asked))['id']);
}

/** The events of a session, which must be the same and complete at both front ends. */
async function expectWhole(fronts: readonly MortalServer[], sessionId: string, events: readonly ReadEvent[]) {
  expect(events.map((event) => bodyOf(event)['seq'])).toEqual(events.map((_, index) => index + 1));
  for (const front of fronts) {
    const reader = new FaithfulReader(sessionId);
    await reader.read(front, ({ id }) => id === events.at(-1)?.id);
    expect(reader.events).toEqual(events);
  }
}

describe.runIf(hasRedisServer)('two front ends and two workers at one Redis', () => {
  test('a worker is killed during a turn: the turn is marked once, and the other worker continues the conversation', {
    timeout: 90_000,
  }, async () => {
    verifies('F118', 'F119');
    const replies = [
      says('The word is sesame.'),
      calls({ name: 'run_shell_command', input: { command: 'sleep 600' } }),
      says('sesame'),
    ];
    await using cluster = await openCluster({ replies });
    const [one, two] = cluster.fronts;
    const sessionId = await newSession(one);
    const events = `/sessions/${sessionId}/events`;
    const reader = new FaithfulReader(sessionId);
    await one.post(events, say('Remember a word.'));
    await readUntil({ reader, front: two }, IDLE);
    await one.post(events, say('Wait.'));
    await one.post(events, say('Which word?'));
    await readUntil({ reader, front: two }, 'agent.tool_use');
    const killed = cluster.busyWorker();
    await killed.kill();
    await readUntil({ reader, front: two }, 'turn.interrupted');
    await readUntil({ reader, front: one }, IDLE, 3);
    const [mark, ...more] = typesOf(reader.events, 'turn.interrupted');
    expect(more).toEqual([]);
    expect(mark && bodyOf(mark)).toMatchObject({ reason: 'server_crash' });
    expect(typesOf(reader.events, 'turn.ended').map((end) => bodyOf(end)['result'])).toEqual([
      'The word is sesame.',
      'sesame',
    ]);
    expect(cluster.busyWorker()).not.toBe(killed);
    const heard = JSON.stringify(cluster.model.requests.at(-1)?.messages);
    expect(heard).toContain('The word is sesame.');
    expect(heard).toContain('sleep 600');
    await expectWhole(cluster.fronts, sessionId, reader.events);
  });

  test('questions and cancels reach the worker through any front end', async () => {
    verifies('GAP-71');
    const write = calls({ name: 'write_file', input: { file_path: 'a.txt', content: 'x' } });
    await using cluster = await openCluster({ replies: [write, says('word '.repeat(4000))], tokensPerSecond: 200 });
    const [one, two] = cluster.fronts;
    const sessionId = await newSession(one, 'default');
    const reader = new FaithfulReader(sessionId);
    await one.post(`/sessions/${sessionId}/events`, say('Write it.'));
    await readUntil({ reader, front: two }, 'approval.requested');
    const approvalId = typesOf(reader.events, 'approval.requested')
      .map((event) => bodyOf(event)['approval_id'])
      .join();
    const approve = () => two.fetch(`/sessions/${sessionId}/approvals/${approvalId}`, allow);
    const allow = { method: 'POST', body: JSON.stringify({ behavior: 'allow' }) };
    expect((await approve()).status).toBe(200);
    expect((await approve()).status).toBe(404);
    await readUntil({ reader, front: one }, 'agent.message_start', 2);
    await two.post(`/sessions/${sessionId}/events`, { events: [{ type: 'user.interrupt' }] });
    await readUntil({ reader, front: one }, IDLE);
    expect(typesOf(reader.events, 'approval.settled').map(bodyOf)).toMatchObject([{ behavior: 'allow', by: 'client' }]);
    expect(typesOf(reader.events, 'turn.ended').map(bodyOf)).toMatchObject([{ outcome: 'cancelled' }]);
    await expectWhole(cluster.fronts, sessionId, reader.events);
    // A worker says how it is, and nothing else.
    expect((await cluster.workers[0].fetch('/sessions')).status).toBe(404);
  });

  test('a worker that shuts down marks its turn and leaves the next message to the other worker', async () => {
    verifies('F132');
    const replies = [says('word '.repeat(4000)), says('fine')];
    await using cluster = await openCluster({ replies, tokensPerSecond: 200 });
    const [one, two] = cluster.fronts;
    const sessionId = await newSession(one);
    const reader = new FaithfulReader(sessionId);
    await one.post(`/sessions/${sessionId}/events`, say('Talk.'));
    await two.post(`/sessions/${sessionId}/events`, say('And then?'));
    await readUntil({ reader, front: one }, 'agent.content_block_delta');
    const ended = cluster.busyWorker();
    await ended.kill('SIGTERM');
    await readUntil({ reader, front: two }, IDLE, 2);
    expect(typesOf(reader.events, 'turn.interrupted').map(bodyOf)).toMatchObject([{ reason: 'server_shutdown' }]);
    expect(typesOf(reader.events, 'turn.ended').map(bodyOf)).toMatchObject([{ outcome: 'success', result: 'fine' }]);
    await expectWhole(cluster.fronts, sessionId, reader.events);
  });

  test('Redis becomes unreachable: requests fail, streams wait, and everything continues once it is back', async () => {
    await using cluster = await openCluster({ replies: [says('one'), says('two')] });
    const { redis, fronts } = cluster;
    const [one, two] = fronts;
    const sessionId = await newSession(one);
    const reader = new FaithfulReader(sessionId);
    await one.post(`/sessions/${sessionId}/events`, say('First.'));
    await readUntil({ reader, front: two }, IDLE);
    const following = readUntil({ reader, front: two }, IDLE, 2);
    await redis.kill();
    const refused = await one.fetch(`/sessions/${sessionId}`);
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ error: { code: 'storage_unreachable', type: 'overloaded_error' } });
    await redis.restart();
    await one.post(`/sessions/${sessionId}/events`, say('Second.'));
    await following;
    await expectWhole(fronts, sessionId, reader.events);
  });
});

test('a server without Redis reports it within seconds, and so does a worker', async () => {
  await using home = await temporaryFolder();
  const env = isolatedEnvironment(home.path);
  const serve = (...flags: readonly string[]) => spawnSync(process.execPath, [CLI, 'serve', ...flags], { env });
  const lost = serve('--store', 'redis://user:secret@127.0.0.1:1');
  expect([lost.status, String(lost.stdout)]).toEqual([1, '']);
  expect(String(lost.stderr)).toMatch(/127\.0\.0\.1:1/);
  expect(String(lost.stderr)).not.toContain('secret');
  const alone = serve('--role', 'worker');
  expect([alone.status, String(alone.stdout)]).toEqual([2, '']);
  expect(String(alone.stderr)).toMatch(/Redis/);
});
