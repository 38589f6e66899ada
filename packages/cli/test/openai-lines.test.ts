import { calls, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openCliFixture, prompt, RESULT } from './cli-fixture.js';
import { chat } from './openai/openai-fixture.js';

const slow = { tokensPerSecond: 60 };
const named = (sessionId: string) => ['--session-id', sessionId];
const SESSION = '11111111-1111-4111-8111-111111111111';
const ERROR = { type: 'system', subtype: 'error' };

test('chat requests and user messages are answered in order, each with its own result', async () => {
  verifies('CF-01', 'E-16', 'E-19', 'S-01');
  await using fixture = await openCliFixture([says('One'), says('Two'), says('Three')]);
  const agent = await fixture.startMachine();
  agent.send(chat('first', { options: { temperature: 0.5 } }));
  agent.send(prompt('second'));
  agent.send({ model: 'm', messages: [{ role: 'user', content: 'third' }] });
  agent.endInput();
  for (const result of ['One', 'Two', 'Three']) {
    expect(await agent.next(RESULT)).toMatchObject({ subtype: 'success', result });
  }
  expect(await agent.exited).toEqual({ code: 0, signal: null });
  const asked = fixture.model.requests.map(({ messages }) => JSON.stringify(messages.at(-1)));
  expect(asked).toEqual(['first', 'second', 'third'].map((word) => expect.stringContaining(word)));
  expect(fixture.model.requests.map(({ temperature }) => temperature)).toEqual([0.5, undefined, undefined]);
});

test('the model reads earlier messages of a new conversation', async () => {
  verifies('CF-01', 'CF-21');
  await using fixture = await openCliFixture([says('Owl')]);
  const agent = await fixture.startMachine();
  agent.send({
    messages: [
      { role: 'system', content: 'Speak of birds.' },
      { role: 'user', content: 'The word is owl' },
      { role: 'assistant', content: 'Noted' },
      { role: 'user', content: 'Which word?' },
    ],
  });
  await agent.next(RESULT);
  const said = JSON.stringify(fixture.model.requests[0]?.messages);
  expect(said).toMatch(/Speak of birds.*The word is owl.*Noted.*Which word/);
});

test('a host tool waits for its answer, even while prompts are queued', async () => {
  verifies('CF-01', 'GAP-05', 'E-25');
  await using fixture = await openCliFixture([
    calls({ name: 'lookup', input: { q: 1 }, id: 'call_1' }),
    says('Found'),
    says('After'),
  ]);
  const agent = await fixture.startMachine();
  agent.send(chat('look', { tools: [{ type: 'function', function: { name: 'lookup' } }] }));
  agent.send(prompt('/about'));
  agent.send(prompt('and then'));
  await agent.next({ type: 'assistant' });
  agent.send({ tool_call_id: 'call_1', input: { origin: 'tool_response', parts: [{ type: 'text', text: '42' }] } });
  expect(await agent.next(RESULT)).toMatchObject({ result: 'Found' });
  await agent.next(RESULT);
  expect(await agent.next(RESULT)).toMatchObject({ result: 'After' });
  expect(JSON.stringify(fixture.model.requests[1]?.messages)).toContain('42');
});

test('commands by path, tool requests and notes have results', async () => {
  verifies('CF-01', 'E-24', 'F-06', 'E-14');
  await using fixture = await openCliFixture([says('Read')]);
  await fixture.workspace.write('notes.txt', 'the secret word is owl');
  const agent = await fixture.startMachine();
  const user = { origin: 'user', parts: [] };
  agent.send({ input: { ...user, command: { kind: 'slash', path: ['about'] } } });
  expect(await agent.next(RESULT)).toMatchObject({ subtype: 'success', num_turns: 0 });
  agent.send({ input: user, tool_request: { name: 'read_file', args: { file_path: 'notes.txt' }, callId: 'c' } });
  expect(await agent.next({ type: 'user' })).toMatchObject({
    message: { content: [{ type: 'tool_result', tool_use_id: 'c', content: expect.stringContaining('owl') }] },
  });
  expect(await agent.next(RESULT)).toMatchObject({ subtype: 'success' });
  agent.send({ input: { origin: 'system', parts: [{ type: 'text', text: 'The user is away.' }] } });
  expect(await agent.next(RESULT)).toMatchObject({ subtype: 'success' });
  agent.send(chat('Hi'));
  await agent.next(RESULT);
  expect(JSON.stringify(fixture.model.requests[0]?.messages)).toContain('The user is away.');
});

test('a heartbeat and a hint are answered during an answer, and a cancel stops it', async () => {
  verifies('CF-01', 'H-02', 'I-06', 'S-04', 'S-06');
  await using fixture = await openCliFixture([says('slow '.repeat(300)), says('Alive')], slow);
  const agent = await fixture.startMachine([...named(SESSION), '--include-partial-messages']);
  agent.send(chat('Speak', { session_id: SESSION, prompt_id: 'p' }));
  await agent.next({ type: 'stream_event', event: { type: 'content_block_delta' } });
  agent.send({ type: 'heartbeat_request', prompt_id: 'beat' });
  expect(await agent.next({ type: 'result/heartbeat' })).toEqual({
    type: 'result/heartbeat',
    session_id: SESSION,
    prompt_id: 'beat',
    status: 'ok',
    ts: expect.any(Number),
  });
  agent.send({ type: 'command_hint_request', trigger: 'slash', text: '/abou', prompt_id: 'h' });
  expect(await agent.next({ type: 'result/command_hint', status: 'ok' })).toMatchObject({
    session_id: SESSION,
    prompt_id: 'h',
  });
  agent.send({ type: 'control/cancel', session_id: SESSION, prompt_id: 'p', request_id: 'c' });
  expect(await agent.next({ type: 'result/cancel' })).toMatchObject({ status: 'ok', prompt_id: 'p' });
  await agent.next({ type: 'control_response', response: { request_id: 'c' } });
  expect(await agent.next(RESULT)).toMatchObject({ subtype: 'interrupted' });
  agent.send({ type: 'control/cancel' });
  expect(await agent.next({ type: 'result/cancel' })).toMatchObject({ status: 'noop' });
  agent.send(prompt('Still there?'));
  expect(await agent.next(RESULT)).toMatchObject({ result: 'Alive' });
});

test('a cancel stops the running turn and nothing queued after it', async () => {
  verifies('I-06');
  await using fixture = await openCliFixture([says('slow '.repeat(300))], slow);
  const agent = await fixture.startMachine([...named(SESSION), '--include-partial-messages']);
  agent.send(chat('Speak', { prompt_id: 'p' }));
  await agent.next({ type: 'stream_event', event: { type: 'content_block_delta' } });
  agent.send({ input: { origin: 'user', parts: [], command: { kind: 'slash', path: ['about'] } } });
  agent.send({ type: 'control/cancel' });
  expect(await agent.next({ type: 'result/cancel' })).toMatchObject({ status: 'ok', prompt_id: 'p' });
  expect(await agent.next(RESULT)).toMatchObject({ subtype: 'interrupted' });
  expect(await agent.next(RESULT)).toMatchObject({ subtype: 'success', num_turns: 0 });
});

const REFUSED = [
  ['another session', chat('Hi', { session_id: 'other' }), 'session_not_found'],
  [
    'a call that waits for nothing',
    { tool_call_id: 'x', input: { origin: 'tool_response', parts: [] } },
    'invalid_message',
  ],
  ['a request of the wrong shape', { input: { origin: 'moon', parts: [] } }, 'invalid_message'],
  ['a typed line of the wrong shape', { type: 'command_hint_request', text: 5 }, 'invalid_message'],
  ['a tool that there is not', chat('Hi', { options: { tool_overrides: ['nope'] } }), 'invalid_message'],
] as const;

test('a line that is refused affects only that line', async () => {
  verifies('CF-01', 'GAP-12');
  await using fixture = await openCliFixture([says('Alive')]);
  const agent = await fixture.startMachine();
  for (const [index, [what, line, code]] of REFUSED.entries()) {
    agent.send(line);
    agent.send(prompt('Hi'));
    const { data } = await agent.next(ERROR);
    expect([what, data]).toMatchObject([what, { code, line_number: 2 * index + 1 }]);
    expect(await agent.next(RESULT)).toMatchObject({ result: 'Alive' });
  }
});

test('an unsupported version is reported and ends the program with exit code 3', async () => {
  verifies('K-05', 'GAP-37');
  await using fixture = await openCliFixture([says('never asked')]);
  const agent = await fixture.startMachine();
  agent.send(chat('Hi', { protocol_version: 3 }));
  expect(await agent.next(ERROR)).toMatchObject({ data: { code: 'unsupported_protocol' } });
  expect(await agent.exited).toEqual({ code: 3, signal: null });
  expect(fixture.model.requests).toEqual([]);
});
