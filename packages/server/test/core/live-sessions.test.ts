import { calls, lastText, resourceBaseline, says, verifies } from '@qwen/testkit';
import { afterAll, expect, test } from 'vitest';
import { deltasOf, eventsUntil, ofType, serveCore, typesOf } from '../served-core.js';

const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

const idle = ofType('session.status_idle');
const increments = { hasIncrements: true };

test('a message becomes a turn, also if it is sent again, and the turn events, in the order of the document', async () => {
  verifies('F129', 'R-39', 'R-41', 'Q-69', 'Q-71', 'GAP-74', 'GAP-87');
  await using served = await serveCore({ replies: [says('Hello there, my friend')] });
  const { sessions, model } = served;
  const session = await sessions.create(increments);
  const send = () => sessions.send(session.id, { content: 'hi', clientKey: 'k1' });
  const [ticket, again] = await Promise.all([send(), send()]);
  const events = await eventsUntil(sessions, session.id, idle);
  const { turnId, startSeq } = ticket;
  expect([again, await send()]).toMatchObject([
    { turnId, startSeq },
    { turnId, startSeq },
  ]);
  expect(model.requests).toHaveLength(1);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(typesOf(events).filter((type) => type !== 'agent.content_block_delta')).toEqual([
    'user.message',
    'session.status_running',
    'turn.started',
    'agent.message_start',
    'agent.content_block_start',
    'agent.content_block_stop',
    'agent.message_delta',
    'agent.message_stop',
    'agent.message',
    'turn.ended',
    'session.status_idle',
  ]);
  expect(deltasOf(events)).toBe('Hello there, my friend');
  expect(new Set(events.map(({ turn_id }) => turn_id))).toEqual(new Set([ticket.turnId]));
  expect(events[0]).toMatchObject({ seq: ticket.startSeq, content: [{ type: 'text', text: 'hi' }] });
  const { items, total } = await sessions.history(session.id, { limit: 50, offset: 0 });
  expect(items).toMatchObject([
    { number: 1, type: 'user', content: 'hi' },
    { number: 2, type: 'assistant', content: 'Hello there, my friend' },
  ]);
  expect(total).toBe(2);
  expect(await sessions.status(session.id)).toBe('idle');
});

test('an idle agent exits and resumes the conversation with the next message', async () => {
  verifies('GAP-83');
  await using served = await serveCore({ replies: [says('one'), says('two')], idleMs: 1 });
  const { sessions, core, model } = served;
  const session = await sessions.create(increments);
  await sessions.send(session.id, { content: 'first' });
  const first = await eventsUntil(sessions, session.id, idle);
  while (core.liveAgents() > 0) await new Promise((resolve) => setImmediate(resolve));
  await sessions.send(session.id, { content: 'second' });
  await eventsUntil(sessions, session.id, idle, first.length);
  const said = model.requests.at(-1)?.messages.filter(({ role }) => role !== 'system') ?? [];
  expect(said.map(({ content }) => JSON.stringify(content))).toMatchObject([
    expect.stringContaining('first'),
    expect.stringContaining('one'),
    expect.stringContaining('second'),
  ]);
});

test('messages queue up to a limit after the running turn, or are refused', async () => {
  verifies('F130', 'GAP-72', 'GAP-87');
  await using served = await serveCore({ replies: [says('one'), says('two')], maxQueuedTurns: 1 });
  const { sessions } = served;
  const session = await sessions.create(increments);
  const [first, second] = await Promise.all([
    sessions.send(session.id, { content: 'first' }),
    sessions.send(session.id, { content: 'second' }),
  ]);
  await expect(sessions.send(session.id, { content: 'third', whenBusy: 'refuse' })).rejects.toMatchObject({
    code: 'session_busy',
  });
  await expect(sessions.send(session.id, { content: 'third' })).rejects.toMatchObject({ code: 'overloaded' });
  expect(await sessions.status(session.id)).toBe('processing');
  const isSecondEnd = (event: { type: string; turn_id?: string | undefined }) =>
    event.type === 'session.status_idle' && event.turn_id === second.turnId;
  const events = await eventsUntil(sessions, session.id, isSecondEnd);
  const played = events.filter(({ type }) => type === 'turn.started' || type === 'turn.ended');
  expect(played.map(({ turn_id }) => turn_id)).toEqual([first.turnId, first.turnId, second.turnId, second.turnId]);
});

test('a cancelled turn ends in order, and the next one is unaffected', async () => {
  verifies('Q-67', 'GAP-98', 'F127');
  await using served = await serveCore({
    replies: [says('word '.repeat(2000)), says('fine')],
    model: { tokensPerSecond: 50 },
  });
  const { sessions } = served;
  const session = await sessions.create(increments);
  const { requestId } = await sessions.send(session.id, { content: 'talk' });
  await eventsUntil(sessions, session.id, ofType('agent.content_block_delta'));
  expect(await sessions.cancel(requestId)).toMatchObject({ requestId, state: 'running' });
  const events = await eventsUntil(sessions, session.id, idle);
  const types = typesOf(events);
  expect(types.slice(types.lastIndexOf('agent.content_block_delta') + 1)).toEqual([
    'agent.content_block_stop',
    'agent.message_delta',
    'agent.message_stop',
    'agent.message',
    'turn.ended',
    'session.status_idle',
  ]);
  expect(events.at(-2)).toMatchObject({ outcome: 'cancelled' });
  const whole = events.find((event) => event.type === 'agent.message');
  expect(whole?.content).toEqual([{ type: 'text', text: deltasOf(events) }]);
  await expect(sessions.cancel(requestId)).rejects.toMatchObject({ code: 'turn_not_found' });
  await expect(sessions.cancel('req_1_nobody')).rejects.toMatchObject({ code: 'turn_not_found' });

  await sessions.send(session.id, { content: 'and now?' });
  const next = await eventsUntil(sessions, session.id, idle, events.length);
  expect(next.at(-2)).toMatchObject({ outcome: 'success', result: 'fine' });
});

test('a cancelled message in the queue never runs', async () => {
  verifies('F127', 'GAP-85');
  await using served = await serveCore({
    replies: [says('word '.repeat(2000)), says('never')],
    model: { tokensPerSecond: 50 },
  });
  const { sessions, model } = served;
  const session = await sessions.create(increments);
  const running = await sessions.send(session.id, { content: 'talk' });
  const waiting = await sessions.send(session.id, { content: 'wait' });
  await eventsUntil(sessions, session.id, ofType('agent.content_block_delta'));
  const wish = await sessions.interrupt(session.id);
  expect(wish.turns).toBe(2);
  const events = await eventsUntil(sessions, session.id, idle);
  const ends = events.filter((event) => event.type === 'turn.ended');
  expect(ends.map(({ turn_id, outcome }) => [turn_id, outcome])).toEqual([
    [waiting.turnId, 'cancelled'],
    [running.turnId, 'cancelled'],
  ]);
  expect(await sessions.status(session.id)).toBe('idle');
  expect(events[wish.seq - 1]).toMatchObject({ type: 'user.interrupt', turn_id: running.turnId });
  expect(await sessions.interrupt(session.id)).toMatchObject({ turns: 0 });
  expect(model.requests).toHaveLength(1);
});

const writes = (path: string) => calls({ name: 'write', input: { path, content: 'new' } });

test('a tool that needs approval waits for an answer of any follower; the first one applies', async () => {
  verifies('GAP-71', 'S79');
  await using served = await serveCore({ replies: [writes('a.txt'), (request) => says(lastText(request))] });
  const { sessions, folder } = served;
  const session = await sessions.create(increments);
  const { requestId } = await sessions.send(session.id, { content: 'write' });
  const asked = (await eventsUntil(sessions, session.id, ofType('approval.requested'))).at(-1);
  if (asked?.type !== 'approval.requested') throw new Error('not asked');
  expect(asked).toMatchObject({ tool_name: 'write_file', request_id: requestId, input: { content: 'new' } });
  const target = { requestId, toolUseId: asked.tool_use_id };
  await expect(sessions.approve({ requestId, toolUseId: 'call_99' }, { behavior: 'allow' })).rejects.toMatchObject({
    code: 'approval_not_found',
  });
  await expect(sessions.approve(target, { behavior: 'allow', suggestion: 99 })).rejects.toMatchObject({
    code: 'invalid_payload',
  });
  await sessions.approve({ sessionId: session.id, approvalId: asked.approval_id }, { behavior: 'allow' });
  await expect(sessions.approve(target, { behavior: 'deny' })).rejects.toMatchObject({ code: 'approval_not_found' });
  const events = await eventsUntil(sessions, session.id, idle);
  expect(events.find(({ type }) => type === 'approval.settled')).toMatchObject({ behavior: 'allow', by: 'client' });
  expect(events.find(({ type }) => type === 'agent.tool_result')).toMatchObject({ is_error: false });
  expect(await folder.read('a.txt')).toBe('new');
});

test('a cancelled turn withdraws its question', async () => {
  verifies('GAP-71', 'GAP-98');
  await using served = await serveCore({ replies: [writes('a.txt')] });
  const { sessions } = served;
  const session = await sessions.create(increments);
  const { requestId } = await sessions.send(session.id, { content: 'write' });
  await eventsUntil(sessions, session.id, ofType('approval.requested'));
  await sessions.cancel(requestId);
  const events = await eventsUntil(sessions, session.id, idle);
  expect(events.find(({ type }) => type === 'approval.settled')).toMatchObject({ behavior: 'deny', by: 'withdrawn' });
  expect(events.at(-2)).toMatchObject({ outcome: 'cancelled' });
});
