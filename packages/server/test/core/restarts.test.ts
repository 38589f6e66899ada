import { rm } from 'node:fs/promises';
import { resourceBaseline, says, verifies } from '@qwen/testkit';
import { afterAll, expect, test } from 'vitest';
import { deltasOf, eventsUntil, ofType, serveCore, typesOf } from '../served-core.js';

const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

const idle = ofType('session.status_idle');
const increments = { hasIncrements: true };
const slowly = { replies: [says('word '.repeat(2000)), says('fine')], model: { tokensPerSecond: 50 } };

test('a server that shuts down marks the running turn, keeps queued messages, and runs them after the restart', async () => {
  verifies('F132', 'F119');
  await using served = await serveCore(slowly);
  const session = await served.sessions.create(increments);
  await served.sessions.send(session.id, { content: 'talk' });
  const waiting = await served.sessions.send(session.id, { content: 'and then?' });
  await eventsUntil(served.sessions, session.id, ofType('agent.content_block_delta'));
  using follower = await served.sessions.log.attach(session.id);
  const before = await eventsUntil(served.sessions, session.id, ofType('agent.content_block_delta'));

  await using again = await served.reopen();
  let last: unknown;
  for (let items = await follower.take(); items.length > 0; items = await follower.take()) last = items.at(-1);
  expect(last).toMatchObject({ kind: 'end', reason: 'closing' });
  const isItsEnd = (event: { type: string; turn_id?: string | undefined }) =>
    event.type === 'turn.ended' && event.turn_id === waiting.turnId;
  const events = await eventsUntil(again.sessions, session.id, isItsEnd);
  expect(events.slice(0, before.length)).toEqual(before);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.find(({ type }) => type === 'turn.interrupted')).toMatchObject({ reason: 'server_shutdown' });
  expect(events.at(-1)).toMatchObject({ outcome: 'success', result: 'fine' });
  const { items } = await again.sessions.history(session.id, { limit: 50, offset: 0 });
  expect(items.map(({ type, content }) => [type, content.slice(0, 9)])).toEqual([
    ['user', 'talk'],
    ['user', 'and then?'],
    ['assistant', 'word word'],
    ['assistant', 'fine'],
  ]);
});

test('nothing new is accepted during the shutdown', async () => {
  verifies('F132');
  await using served = await serveCore({ replies: [says('never')] });
  const session = await served.sessions.create(increments);
  await served.core.close({ graceMs: 0 });
  await expect(served.sessions.send(session.id, { content: 'x' })).rejects.toMatchObject({ code: 'shutting_down' });
  await expect(served.sessions.create(increments)).rejects.toMatchObject({ code: 'shutting_down' });
});

test('a disk that fills up in a turn stops its agent; the turn ends when there is space again', async () => {
  let isFull = false;
  await using served = await serveCore({ ...slowly, isDiskFull: () => isFull });
  const { sessions, noticed, core } = served;
  const session = await sessions.create(increments);
  await sessions.send(session.id, { content: 'talk' });
  await eventsUntil(sessions, session.id, ofType('agent.content_block_delta'));
  isFull = true;
  expect(await noticed).toContain('could not write the end of turn');
  expect(core.liveAgents()).toBe(0);
  expect(await sessions.status(session.id)).toBe('processing');
  isFull = false;
  const events = await eventsUntil(sessions, session.id, idle);
  expect(typesOf(events).slice(-6)).toEqual([
    'agent.content_block_stop',
    'agent.message_delta',
    'agent.message_stop',
    'agent.message',
    'turn.interrupted',
    'session.status_idle',
  ]);
  expect(events.at(-2)).toMatchObject({ reason: 'server_fault' });
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  const whole = events.find((event) => event.type === 'agent.message');
  expect(whole?.content).toEqual([{ type: 'text', text: deltasOf(events) }]);
  expect(await sessions.status(session.id)).toBe('idle');
});

test('a message that is in the store but not in the log is logged when its turn starts', async () => {
  const nextIsFull = [true];
  await using served = await serveCore({ replies: [says('fine')], isDiskFull: () => nextIsFull.pop() === true });
  const { sessions } = served;
  const session = await sessions.create(increments);
  await expect(sessions.send(session.id, { content: 'talk' })).rejects.toMatchObject({ code: 'storage_full' });
  const events = await eventsUntil(sessions, session.id, idle);
  expect(typesOf(events).slice(0, 3)).toEqual(['user.message', 'session.status_running', 'turn.started']);
  expect(events).toContainEqual(expect.objectContaining({ type: 'turn.ended', outcome: 'success' }));
  expect(await sessions.status(session.id)).toBe('idle');
});

test('the end of a turn that is in the store but not in the log is written to the log once', async () => {
  verifies('F119');
  let isFull = false;
  await using served = await serveCore({
    replies: [says('all is said')],
    isDiskFull: (events) => isFull && events.some(({ type }) => type === 'turn.ended'),
  });
  const session = await served.sessions.create(increments);
  isFull = true;
  await served.sessions.send(session.id, { content: 'talk' });
  await served.noticed;
  expect(await served.sessions.status(session.id)).toBe('idle');
  isFull = false;
  await using again = await served.reopen();
  const events = await eventsUntil(again.sessions, session.id, idle);
  expect(events.at(-2)).toMatchObject({ type: 'turn.ended', outcome: 'success', result: 'all is said' });
  expect(typesOf(events).filter((type) => type === 'turn.ended')).toHaveLength(1);
});

test.each([
  ['has a conversation that the server does not know of', false],
  ['has lost a conversation that the server knows of', true],
])('a turn with an agent that %s still completes', async (_, isRevoked) => {
  verifies('F119');
  await using served = await serveCore({ replies: [says('one'), says('two')] });
  const session = await served.sessions.create(increments);
  await served.sessions.send(session.id, { content: 'first' });
  const first = await eventsUntil(served.sessions, session.id, idle);
  await using again = await served.reopen(async (store) => {
    if (isRevoked) await rm(served.folder.resolve(`home/.qwen/sessions/${session.id}.jsonl`));
    else await store.update(session.id, { isResumable: false });
  });
  await again.sessions.send(session.id, { content: 'second' });
  const second = await eventsUntil(again.sessions, session.id, idle, first.length);
  expect(second.at(-2)).toMatchObject({ type: 'turn.ended', outcome: 'success', result: 'two' });
  expect(typesOf(second).filter((type) => type === 'turn.ended' || type === 'session.error')).toEqual(['turn.ended']);
  expect(JSON.stringify(served.model.requests.at(-1)?.messages).includes('first')).toBe(!isRevoked);
});
