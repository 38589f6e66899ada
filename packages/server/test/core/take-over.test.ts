import { hasRedisServer, RedisServer, resourceBaseline, says, verifies } from '@qwen/testkit';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { turnStart, userMessage } from '../../src/core/new-events.js';
import { ghostWorker } from '../ghost-worker.js';
import { eventsUntil, ofType, serveCore, typesOf } from '../served-core.js';

const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

const idle = ofType('session.status_idle');
const increments = { hasIncrements: true };
const lost = { code: 'lease_lost' };

describe.runIf(hasRedisServer)('a dead or slow worker', () => {
  let redis: RedisServer;
  beforeEach(async () => {
    redis = await RedisServer.start();
  });
  afterEach(() => redis[Symbol.asyncDispose]());

  /** A turn that a ghost has begun. */
  async function begun(front: Awaited<ReturnType<typeof serveCore>>, ghost: Awaited<ReturnType<typeof ghostWorker>>) {
    const session = await front.sessions.create(increments);
    const { turnId } = await front.sessions.send(session.id, { content: 'talk' });
    const taken = await ghost.take();
    const turn = await ghost.store.getTurn(turnId);
    if (taken === undefined || turn === undefined) throw new Error('there is no turn to take');
    const places = ghost.under(taken.fence);
    await places.log.append(session.id, [userMessage(turn)]);
    await places.store.startTurn(turnId);
    return { session, turn, taken, ...places };
  }

  test('a turn that has emitted nothing is run from the start by the next worker', async () => {
    await using front = await serveCore({ place: redis.url, role: 'front', replies: [] });
    await using ghost = await ghostWorker(redis.url, { leaseMs: 20 });
    const { session, turn, taken, store, log } = await begun(front, ghost);
    await using _worker = await serveCore({ place: redis.url, role: 'worker', replies: [says('fine')], leaseMs: 1500 });
    const events = await eventsUntil(front.sessions, session.id, idle);
    expect(typesOf(events).filter((type) => ['user.message', 'turn.started', 'turn.ended'].includes(type))).toEqual([
      'user.message',
      'turn.started',
      'turn.ended',
    ]);
    expect(events.at(-2)).toMatchObject({ turn_id: turn.id, outcome: 'success', result: 'fine' });

    // The ghost was only slow: whatever it still has to say is refused, and changes nothing.
    const late = { state: 'error', endedAt: 1, events: [] } as const;
    await expect(log.append(session.id, turnStart(turn))).rejects.toMatchObject(lost);
    await expect(store.startTurn(turn.id)).rejects.toMatchObject(lost);
    await expect(store.endTurn(turn.id, late)).rejects.toMatchObject(lost);
    await expect(store.update(session.id, { isResumable: false })).rejects.toMatchObject(lost);
    const bytes = Buffer.from('{}\n');
    await expect(ghost.conversations.write({ ...taken, at: 0, bytes })).rejects.toMatchObject(lost);
    const lockKey = ghost.queue.lockKey(String(taken.job.id));
    await expect(ghost.holders.claim({ ...taken, lockKey, lockMs: 9 })).rejects.toMatchObject(lost);
    await ghost.holders.release(session.id, taken.fence);
    expect(await eventsUntil(front.sessions, session.id, idle)).toEqual(events);
    expect((await front.sessions.findTurn(turn.requestId))?.state).toBe('success');
  });

  test('a turn that has emitted events is marked once and not repeated; the next message runs', async () => {
    verifies('F119');
    await using front = await serveCore({ place: redis.url, role: 'front', replies: [] });
    await using ghost = await ghostWorker(redis.url, { leaseMs: 20 });
    const { session, turn, log } = await begun(front, ghost);
    await log.append(session.id, turnStart(turn));
    const next = await front.sessions.send(session.id, { content: 'and then?' });
    const worker = { place: redis.url, role: 'worker', replies: [says('fine')], leaseMs: 1500 } as const;
    await using one = await serveCore(worker);
    await using two = await serveCore(worker);
    const events = await eventsUntil(front.sessions, session.id, ofType('turn.ended'));
    const marks = events.filter(({ type }) => type === 'turn.interrupted');
    expect(marks).toMatchObject([{ turn_id: turn.id, reason: 'server_crash' }]);
    expect(events.at(-1)).toMatchObject({ turn_id: next.turnId, outcome: 'success' });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(one.model.requests.length + two.model.requests.length).toBe(1);
  });

  test('a worker that lost its lease stops its agent and writes nothing else', async () => {
    await using front = await serveCore({ place: redis.url, role: 'front', replies: [] });
    const replies = [says('word '.repeat(2000))];
    await using worker = await serveCore({
      place: redis.url,
      role: 'worker',
      replies,
      model: { tokensPerSecond: 50 },
      leaseMs: 6000,
    });
    await using ghost = await ghostWorker(redis.url, { leaseMs: 60_000 });
    const session = await front.sessions.create(increments);
    await front.sessions.send(session.id, { content: 'talk' });
    await eventsUntil(front.sessions, session.id, ofType('agent.content_block_delta'));

    const { log } = ghost.under((await ghost.steal(session.id)).fence);
    const mark = { type: 'user.interrupt', data: JSON.stringify({ type: 'user.interrupt' }) };
    await log.append(session.id, [mark]);
    const { lastSeq } = await log.read(session.id);
    expect(await worker.noticed).toContain(session.id);
    while (worker.core.liveAgents() > 0) await ghost.redis.ping();
    expect((await log.read(session.id)).lastSeq).toBe(lastSeq);
    expect(await front.sessions.status(session.id)).toBe('processing');
  });

  test('the end of a turn that a worker could not write is written by the next worker', async () => {
    await using front = await serveCore({ place: redis.url, role: 'front', replies: [] });
    await using ghost = await ghostWorker(redis.url, { leaseMs: 20 });
    const { session, turn, store } = await begun(front, ghost);
    const body = {
      type: 'session.status_idle',
      session_thread_id: 'thrd_x',
      turn_id: turn.id,
      parent_tool_use_id: null,
    };
    const events = [{ type: body.type, data: JSON.stringify(body), eventId: `${turn.id}:end:0` }];
    await store.endTurn(turn.id, { state: 'success', endedAt: 1, events });
    await using _worker = await serveCore({ place: redis.url, role: 'worker', replies: [], leaseMs: 1500 });
    expect((await eventsUntil(front.sessions, session.id, idle)).at(-1)).toMatchObject({ turn_id: turn.id });
    while ((await ghost.store.outbox()).length > 0) await ghost.redis.ping();
  });

  test('a session that ends its workers is given up: its turns end once, and the queue has the reason', async () => {
    await using front = await serveCore({ place: redis.url, role: 'front', replies: [] });
    await using ghost = await ghostWorker(redis.url, { leaseMs: 20 });
    const session = await front.sessions.create(increments);
    await front.sessions.send(session.id, { content: 'talk' });
    const last = await front.sessions.send(session.id, { content: 'and then?' });
    for (let killed = 0; killed < 3; killed += 1) {
      while ((await ghost.take()) === undefined) await ghost.checkStalled();
    }
    await using worker = await serveCore({ place: redis.url, role: 'worker', replies: [says('fine')], leaseMs: 1500 });
    const events = await eventsUntil(
      front.sessions,
      session.id,
      (event) => event.type === 'turn.interrupted' && event.turn_id === last.turnId,
    );
    const ends = events.flatMap((event) => (event.type === 'turn.interrupted' ? [event.reason] : []));
    expect(ends).toEqual(['attempts_exhausted', 'attempts_exhausted']);
    expect(worker.model.requests).toEqual([]);
    await expect.poll(() => ghost.failures()).toEqual(['3 workers died while they had the session.']);
    // The next message starts with a new count.
    const { turnId } = await front.sessions.send(session.id, { content: 'again' });
    await eventsUntil(front.sessions, session.id, (event) => event.type === 'turn.ended' && event.turn_id === turnId);
  });
});
