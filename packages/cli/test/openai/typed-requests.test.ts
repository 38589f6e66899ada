import { says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { CHUNKS, chat, openCliFixture, REFUSAL, SUMMARY, said, startLines } from './openai-fixture.js';

const slow = { tokensPerSecond: 60 };

/** A piece of the answer. */
const speaks = (line: Readonly<Record<string, unknown>>) => JSON.stringify(line).includes('"content":"slow');

test('a heartbeat is answered during an answer, with the IDs that it contained', async () => {
  verifies('H-01', 'H-02', 'H-05', 'GAP-33', 'L-06');
  await using fixture = await openCliFixture([says('slow '.repeat(200))], slow);
  const agent = await startLines(fixture);
  agent.send(chat('Speak', { session_id: 's' }));
  agent.send({ type: 'heartbeat_request', session_id: 's', prompt_id: 'p' });
  const beat = (await agent.next({ type: 'result/heartbeat' })) as { ts: number };
  expect(beat).toEqual({
    type: 'result/heartbeat',
    session_id: 's',
    prompt_id: 'p',
    status: 'ok',
    ts: expect.any(Number),
  });
  expect(Math.abs(beat.ts - Date.now() / 1000)).toBeLessThan(60);
});

test('a line unrelated to the running turn does not contain its ID', async () => {
  verifies('H-02', 'GAP-12', 'GAP-15');
  await using fixture = await openCliFixture([says('slow '.repeat(200))], slow);
  const agent = await fixture.start(CHUNKS);
  agent.send(chat('Speak', { session_id: 's', prompt_id: 'mine' }));
  expect(await agent.next(speaks)).toMatchObject({ metadata: { prompt_id: 'mine' } });
  agent.send({ a: 1 });
  const { metadata } = (await agent.next(REFUSAL)) as { metadata: object };
  expect(metadata).not.toHaveProperty('prompt_id');
  agent.send({ type: 'heartbeat_request', session_id: 's' });
  expect(await agent.next({ type: 'result/heartbeat' })).not.toHaveProperty('prompt_id');
});

test('heartbeats are sent periodically on request', async () => {
  verifies('H-03', 'GAP-33');
  await using fixture = await openCliFixture();
  const agent = await startLines(fixture, ['--heartbeat-interval', '1']);
  expect(await agent.next({ type: 'result/heartbeat' })).toMatchObject({ status: 'ok' });
});

test('heartbeats and hints are not part of a conversation', async () => {
  verifies('H-04', 'G-06', 'J-03');
  await using fixture = await openCliFixture([says('Fine')]);
  const agent = await startLines(fixture);
  agent.send({ type: 'heartbeat_request', session_id: 's' });
  agent.send({ type: 'command_hint_request', session_id: 's', trigger: 'slash', text: '/marker', cursor: 7 });
  await agent.next({ type: 'result/command_hint' });
  agent.send(chat('Hi', { session_id: 's' }));
  await agent.next(SUMMARY);
  expect(JSON.stringify(fixture.model.requests)).not.toMatch(/marker|heartbeat/);
});

test('a cancel is answered immediately, then reported on the stream, and the session continues', async () => {
  verifies('I-01', 'I-02', 'I-04', 'I-06', 'I-07', 'S-23', 'I-08', 'I-09', 'I-13', 'D-40', 'CF-30');
  await using fixture = await openCliFixture([says('slow '.repeat(300)), says('Alive')], slow);
  const agent = await fixture.start(CHUNKS);
  agent.send(chat('Speak', { session_id: 's', prompt_id: 'p' }));
  await agent.next(speaks);
  agent.send({ type: 'control/cancel', session_id: 's', reason: 'escape' });
  await agent.next({ metadata: { summary: {} } });
  const told = agent.lines
    .flatMap(({ json }) => (json === undefined ? [] : [json]))
    .filter((line) => line['type'] === 'result/cancel' || line['type'] === 'x-qwen-session-event');
  expect(told).toMatchObject([
    { type: 'result/cancel', session_id: 's', prompt_id: 'p', status: 'ok', message: 'Request cancelled.' },
    { event: 'USER_CANCELLED', message: 'User cancelled the request.' },
  ]);
  agent.send(chat('Still there?', { session_id: 's' }));
  await agent.next((line) => JSON.stringify(line).includes('Alive'));
  expect(JSON.stringify(fixture.model.requests.at(-1)?.messages)).toContain('Request cancelled.');
});

test('a cancel without a turn is a noop with the reason', async () => {
  verifies('I-03', 'I-10', 'CF-29');
  await using fixture = await openCliFixture([says('Done'), says('Alive')]);
  const agent = await startLines(fixture);
  agent.send(chat('Hi', { session_id: 's' }));
  await agent.next(SUMMARY);
  for (const [names, message] of [
    [{ session_id: 's' }, 'Nothing is running.'],
    [{}, 'Nothing is running.'],
    [{ session_id: 's', prompt_id: 'other' }, 'The prompt other is not running.'],
    [{ session_id: 'nobody' }, 'This process has no session nobody.'],
  ] as const) {
    agent.send({ type: 'control/cancel', ...names });
    expect(await agent.next({ type: 'result/cancel' })).toMatchObject({ status: 'noop', message });
    agent.send(chat('Again', { session_id: 's' }));
    await agent.next(said('Alive'));
    await agent.next(SUMMARY);
  }
});

test('a second Escape is a cancel without a turn, because the host clears its input box', async () => {
  verifies('I-12');
  await using fixture = await openCliFixture([says('slow '.repeat(300)), says('Alive')], slow);
  const agent = await fixture.start(CHUNKS);
  agent.send(chat('Speak', { session_id: 's' }));
  await agent.next(speaks);
  agent.send({ type: 'control/cancel', session_id: 's', reason: 'escape' });
  agent.send({ type: 'control/cancel', session_id: 's', reason: 'escape' });
  await agent.next({ metadata: { summary: {} } });
  agent.send(chat('Still there?', { session_id: 's' }));
  await agent.next((line) => JSON.stringify(line).includes('Alive'));
  const lines = agent.lines.flatMap(({ json }) => (json === undefined ? [] : [json]));
  expect(lines.filter(({ event }) => event === 'USER_CANCELLED')).toHaveLength(1);
  expect(lines.filter(({ type }) => String(type).startsWith('result/'))).toMatchObject([
    { type: 'result/cancel' },
    { type: 'result/cancel' },
  ]);
});

test('a cancel contains its prompt ID, an unknown reason is echoed, and a request ID is also answered', async () => {
  verifies('I-03', 'I-05', 'I-11', 'CF-29', 'GAP-34');
  await using fixture = await openCliFixture([says('slow '.repeat(300))], slow);
  const agent = await startLines(fixture);
  agent.send(chat('Speak', { session_id: 's', prompt_id: 'p' }));
  agent.send({ type: 'control/cancel', session_id: 's', prompt_id: 'p', reason: 'boredom', request_id: 'r' });
  expect(await agent.next({ type: 'result/cancel' })).toMatchObject({ status: 'ok', reason: 'boredom' });
  expect(await agent.next({ type: 'control_response' })).toMatchObject({
    request_id: 'r',
    response: { subtype: 'success', response: { status: 'ok' } },
  });
  await agent.next(SUMMARY);
});

test('hints echo the request, also before the first prompt', async () => {
  verifies('G-01', 'G-02', 'G-07', 'G-17', 'CF-28');
  await using fixture = await openCliFixture();
  const agent = await startLines(fixture);
  const prompt_id = 'session-123########preview';
  agent.send({ type: 'command_hint_request', session_id: 's', prompt_id, trigger: 'slash', text: '/?', cursor: 2 });
  expect(await agent.next({ type: 'result/command_hint' })).toMatchObject({
    session_id: 's',
    prompt_id,
    status: 'ok',
    suggestions: [{ label: 'help', matchedIndex: 0 }],
    metadata: { is_perfect_match: true },
  });
});
