import { readdir } from 'node:fs/promises';
import { calls, hasRedisServer, RedisServer, resourceBaseline, says, verifies } from '@qwen/testkit';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventsUntil, ofType, serveCore, typesOf } from '../served-core.js';

const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

const idle = ofType('session.status_idle');
const increments = { hasIncrements: true };
const slow = 'word '.repeat(2000);

describe.runIf(hasRedisServer)('two processes at one Redis', () => {
  let redis: RedisServer;
  beforeEach(async () => {
    redis = await RedisServer.start();
  });
  afterEach(() => redis[Symbol.asyncDispose]());

  test('a conversation moves from one worker to another and leaves no file', async () => {
    await using one = await serveCore({ place: redis.url, replies: [says('The word is sesame.')] });
    const session = await one.sessions.create(increments);
    await one.sessions.send(session.id, { content: 'Remember a word.' });
    const first = await eventsUntil(one.sessions, session.id, idle);
    await one.core.close({ graceMs: 0 });
    expect(await readdir(one.folder.resolve('home/.qwen/sessions'))).toEqual([]);

    await using two = await serveCore({ place: redis.url, replies: [says('It was sesame.')] });
    await two.sessions.send(session.id, { content: 'Which word?' });
    const events = await eventsUntil(two.sessions, session.id, idle, first.length);
    expect(events.at(-2)).toMatchObject({ outcome: 'success', result: 'It was sesame.' });
    expect(events[0]?.seq).toBe(first.length + 1);
    expect(JSON.stringify(two.model.requests[0]?.messages)).toContain('The word is sesame.');
    const { items } = await two.sessions.history(session.id, { limit: 9, offset: 0 });
    expect(items.map(({ content }) => content)).toEqual([
      'Remember a word.',
      'The word is sesame.',
      'Which word?',
      'It was sesame.',
    ]);
  });

  test("a front end sends, follows and cancels a worker's turn; the queued one follows", async () => {
    verifies('F127');
    const replies = [says(slow), says('fine')];
    await using front = await serveCore({ place: redis.url, role: 'front', replies: [] });
    await using worker = await serveCore({
      place: redis.url,
      role: 'worker',
      replies,
      model: { tokensPerSecond: 50 },
    });
    const session = await front.sessions.create(increments);
    const { requestId } = await front.sessions.send(session.id, { content: 'talk' });
    const next = await front.sessions.send(session.id, { content: 'and then?' });
    const taken = await front.sessions.send(session.id, { content: 'never' });
    await eventsUntil(front.sessions, session.id, ofType('agent.content_block_delta'));
    expect([front.core.liveAgents(), worker.core.liveAgents()]).toEqual([0, 1]);
    await front.sessions.cancel(taken.requestId);
    await front.sessions.cancel(requestId);
    const events = await eventsUntil(
      front.sessions,
      session.id,
      (event) => event.type === 'turn.ended' && event.turn_id === next.turnId,
    );
    const ends = events.flatMap((event) => (event.type === 'turn.ended' ? [event] : []));
    expect(ends.map(({ request_id, outcome }) => [request_id, outcome])).toEqual([
      [taken.requestId, 'cancelled'],
      [requestId, 'cancelled'],
      [next.requestId, 'success'],
    ]);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    await expect(front.sessions.cancel(requestId)).rejects.toMatchObject({ code: 'turn_not_found' });
    expect(await front.sessions.status(session.id)).toBe('idle');
  });

  test("a front end steers a worker's turn", async () => {
    await using front = await serveCore({ place: redis.url, role: 'front', replies: [], approvalMode: 'yolo' });
    const command = 'while [ ! -e go ]; do sleep 0.05; done';
    const replies = [calls({ name: 'run_shell_command', input: { command } }), says('done')];
    await using worker = await serveCore({ place: redis.url, role: 'worker', replies });
    const session = await front.sessions.create(increments);
    const first = await front.sessions.send(session.id, { content: 'talk' });
    await eventsUntil(front.sessions, session.id, ofType('agent.tool_use'));
    const steering = await front.sessions.send(session.id, { content: 'NOW', priority: 'now' });
    await front.folder.write('go', '');
    const events = await eventsUntil(front.sessions, session.id, idle);
    expect(events.find(ofType('user.message_taken'))).toMatchObject({
      turn_id: steering.turnId,
      taken_by_turn_id: first.turnId,
    });
    expect(JSON.stringify(worker.model.requests[1]?.messages)).toContain('NOW');
  });

  test('a turn waits for a worker; one that shuts down leaves queued turns to the next', async () => {
    verifies('F132');
    await using front = await serveCore({ place: redis.url, role: 'front', replies: [] });
    const session = await front.sessions.create(increments);
    await front.sessions.send(session.id, { content: 'talk' });
    await front.sessions.send(session.id, { content: 'and then?' });
    expect(await front.sessions.status(session.id)).toBe('processing');
    const worker = { place: redis.url, role: 'worker' } as const;
    const model = { tokensPerSecond: 50 };
    await using one = await serveCore({ ...worker, replies: [says(slow)], model });
    await eventsUntil(front.sessions, session.id, ofType('agent.content_block_delta'));
    await one.core.close({ graceMs: 300 });
    await using _two = await serveCore({ ...worker, replies: [says('fine')] });
    const events = await eventsUntil(front.sessions, session.id, ofType('turn.ended'));
    expect(events.find(({ type }) => type === 'turn.interrupted')).toMatchObject({ reason: 'server_shutdown' });
    expect(typesOf(events).filter((type) => type === 'turn.interrupted')).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ outcome: 'success', result: 'fine' });
  });

  test('a session deleted at a front end leaves nothing, wherever its agent runs', async () => {
    verifies('F139');
    await using front = await serveCore({ place: redis.url, role: 'front', replies: [] });
    await using worker = await serveCore({ place: redis.url, role: 'worker', replies: [says('fine')] });
    const session = await front.sessions.create(increments);
    await front.sessions.send(session.id, { content: 'talk' });
    await eventsUntil(front.sessions, session.id, idle);
    expect(worker.core.liveAgents()).toBe(1);
    using follower = await front.sessions.log.attach(session.id, { afterSeq: 'newest' });
    await front.sessions.delete(session.id);
    expect(worker.core.liveAgents()).toBe(0);
    expect(await readdir(worker.folder.resolve('home/.qwen/sessions'))).toEqual([]);
    let last: unknown;
    for (let items = await follower.take(); items.length > 0; items = await follower.take()) last = items.at(-1);
    expect(last).toMatchObject({ kind: 'end', reason: 'deleted' });
    await expect(front.sessions.get(session.id)).rejects.toMatchObject({ code: 'session_not_found' });
    await expect(front.sessions.delete(session.id)).rejects.toMatchObject({ code: 'session_not_found' });
  });

  test('Redis restarts during a turn: the turn continues, and its end is stored once', async () => {
    verifies('F119');
    const model = { tokensPerSecond: 200 };
    const replies = [says('word '.repeat(300))];
    await using front = await serveCore({ place: redis.url, role: 'front', replies: [] });
    await using _worker = await serveCore({ place: redis.url, role: 'worker', replies, model });
    const session = await front.sessions.create(increments);
    await front.sessions.send(session.id, { content: 'talk' });
    await eventsUntil(front.sessions, session.id, ofType('agent.content_block_delta'));
    await redis.kill();
    await redis.restart();
    const events = await eventsUntil(front.sessions, session.id, idle);
    expect(events.at(-2)).toMatchObject({ outcome: 'success' });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(typesOf(events).filter((type) => type === 'turn.ended')).toHaveLength(1);
  });
});
