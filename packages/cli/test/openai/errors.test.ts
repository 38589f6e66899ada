import { writeFile } from 'node:fs/promises';
import { says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { CHUNKS, chat, openCliFixture, SUMMARY, said, startLines } from './openai-fixture.js';

test.each([
  ['a chat request', chat('Hi', { protocol_version: 3 })],
  ['the messages form', { protocol_version: 3, messages: [{ role: 'user', content: 'Hi' }] }],
  ['a heartbeat', { type: 'heartbeat_request', protocol_version: 3 }],
])('an unsupported version, in %s, is reported and ends the program with exit code 3', async (_where, line) => {
  verifies('K-03', 'K-04', 'K-05', 'CF-10', 'GAP-11', 'GAP-37');
  await using fixture = await openCliFixture([says('never asked')]);
  const agent = await startLines(fixture);
  agent.send(line);
  expect(await agent.next({ choices: [{ finish_reason: 'error' }] })).toMatchObject({
    metadata: { error: { code: 'unsupported_protocol' } },
  });
  expect(await agent.exited).toEqual({ code: 3, signal: null });
  expect(fixture.model.requests).toEqual([]);
});

test('an initialize of another version is refused in both dialects', async () => {
  verifies('K-03', 'GAP-37');
  await using fixture = await openCliFixture();
  const agent = await startLines(fixture, ['--dialect', 'openai']);
  agent.send({ type: 'control_request', request_id: 'r', request: { subtype: 'initialize', protocol_version: 3 } });
  await agent.next({ type: 'control_response', response: { subtype: 'error' } });
  await agent.next({ choices: [{ finish_reason: 'error' }], metadata: { error: { code: 'unsupported_protocol' } } });
  expect(await agent.exited).toEqual({ code: 3, signal: null });
});

const BAD_LINES = [
  ['no JSON', '{"input":'],
  ['no object', '[1]'],
  ['neither typed nor a request', '{"a":1}'],
  ['an unknown type', '{"type":"from_the_future"}'],
  ['a request of the wrong shape', '{"input":{"origin":"moon","parts":[]}}'],
  ['a typed line of the wrong shape', '{"type":"command_hint_request","text":5}'],
  ['binary', '\u0000\u0001\ufffd'],
  ['a message that is not for us', '{"type":"result","subtype":"success"}'],
] as const;

test('a bad line affects only that line', async () => {
  verifies('GAP-12', 'K-08', 'CF-22', 'K-10');
  await using fixture = await openCliFixture([says('Alive')]);
  const agent = await startLines(fixture);
  for (const [index, [what, line]] of BAD_LINES.entries()) {
    agent.send('');
    agent.send(line);
    expect([what, await agent.next({ metadata: { error: {} } })]).toMatchObject([
      what,
      {
        choices: [{ message: { role: 'assistant', content: expect.any(String) }, finish_reason: 'stop' }],
        metadata: { error: { code: 'QWEN_INVALID_INPUT', line_number: 3 * index + 2 } },
      },
    ]);
    agent.send(chat('Hi'));
    await agent.next(said('Alive'));
  }
});

test('a line over the limit is skipped, in chunks too', async () => {
  verifies('GAP-12', 'S84');
  await using fixture = await openCliFixture([says('Alive')]);
  const agent = await fixture.start(CHUNKS, { env: { ...fixture.env, QWEN_MAX_LINE_BYTES: '2000' } });
  agent.send(chat('x'.repeat(3000)));
  expect(await agent.next({ metadata: { error: {} } })).toMatchObject({
    object: 'chat.completion.chunk',
    metadata: { error: { code: 'QWEN_INVALID_INPUT' } },
  });
  agent.send(chat('Hi'));
  await agent.next({ metadata: { summary: {} } });
});

test('a fatal error is a separate line on stdout, in chunks preceded by its text', async () => {
  verifies('K-06', 'C-16', 'GAP-11', 'GAP-14');
  await using fixture = await openCliFixture();
  const whole = await startLines(fixture, ['--approval-mode', 'nonsense']);
  expect(await whole.exited).toEqual({ code: 2, signal: null });
  expect(whole.lines.map(({ json }) => json)).toEqual([
    {
      error: {
        message: expect.stringContaining('nonsense'),
        type: 'invalid_request_error',
        param: null,
        code: 'QWEN_USAGE',
      },
    },
  ]);
  const chunked = await fixture.start([...CHUNKS, '--approval-mode', 'nonsense']);
  await chunked.exited;
  expect(chunked.lines.map(({ json }) => json)).toMatchObject([
    { object: 'chat.completion.chunk', choices: [{ delta: { content: expect.stringContaining('nonsense') } }] },
    { error: { code: 'QWEN_USAGE' } },
  ]);
});

test('an unreachable model fails its turn, not the process', async () => {
  verifies('K-08', 'B-14');
  await using fixture = await openCliFixture();
  const env = { ...fixture.env };
  delete (env as Record<string, string>)['OPENAI_API_KEY'];
  const agent = await startLines(fixture, [], { env: { ...env, OPENAI_BASE_URL: '' } });
  agent.send(chat('Hi'));
  await agent.next({ metadata: { error: { code: 'missing_credentials' } } });
  expect(await agent.next(SUMMARY)).toMatchObject({ metadata: { summary: { is_error: true } } });
  agent.endInput();
  expect(await agent.exited).toEqual({ code: 0, signal: null });
});

test('library output becomes annotations, and raw stderr stays empty', async () => {
  verifies('L-07', 'D-07', 'D-15', 'D-18', 'S-16', 'S-24', 'A-16', 'GAP-54', 'GAP-57');
  await using fixture = await openCliFixture([says('Fine')]);
  const noise = fixture.workspace.resolve('noise.cjs');
  await writeFile(
    noise,
    `setTimeout(() => { console.warn('careful %d', 7); process.stdout.write('out\\n'); process.stderr.write('err\\n'); }, 1);
     const { setImmediate: later } = globalThis; let left = 200;
     const tick = () => { if (process.stdout === undefined) return; if (left-- > 0) later(tick); }; tick();`,
  );
  const agent = await startLines(fixture, [], {
    env: { ...fixture.env, NODE_OPTIONS: `--require ${JSON.stringify(noise)}` },
  });
  agent.send(chat('Hi'));
  await agent.next(SUMMARY);
  agent.endInput();
  await agent.exited;
  expect(agent.lines.every(({ json }) => json !== undefined)).toBe(true);
  const text = agent.lines.map((line) => line.text).join('\n');
  expect(text).toContain('careful 7');
  expect(text).toContain('"console_level":"warn"');
});

test('at the end of input, queued prompts are answered and the last lines arrive complete', async () => {
  verifies('GAP-10', 'D-16', 'D-44', 'B-03');
  await using fixture = await openCliFixture([says('One'), says('Two')]);
  const agent = await startLines(fixture);
  agent.send(chat('a', { session_id: 's' }));
  agent.send(chat('b', { session_id: 's' }));
  agent.endInput();
  await agent.next(said('Two'));
  expect(await agent.exited).toEqual({ code: 0, signal: null });
  expect(agent.lines.at(-1)?.text).toContain('"exit_code":0');
});

const user = { origin: 'user', parts: [{ type: 'text', text: 'Hi' }] };
const called = { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{' } }] };

test.each([
  [
    'tools[0].function.arguments',
    { input: user, tools: [{ type: 'function', function: { name: 'f', arguments: '{' } }] },
  ],
  ['tool_request.args', { tool_request: { name: 'read_file', args: [1] } }],
  [
    'messages[0].tool_calls[0].function.arguments',
    { messages: [called, { role: 'tool', tool_call_id: 'c', content: '' }, { role: 'user', content: 'Hi' }] },
  ],
])('arguments that are not a JSON object are an OpenAI error: %s', async (param, line) => {
  verifies('K-07', 'K-08');
  await using fixture = await openCliFixture([says('Alive')]);
  const agent = await startLines(fixture);
  agent.send(line);
  expect(await agent.next({ metadata: { error: {} } })).toMatchObject({
    choices: [{ message: { content: 'invalid tool input' }, finish_reason: 'stop' }],
    metadata: {
      error: {
        type: 'invalid_request_error',
        param,
        code: 'QWEN_INVALID_TOOL_ARGS',
        message: 'invalid tool input',
        line_number: 1,
      },
    },
  });
  agent.send(chat('Hi'));
  await agent.next(said('Alive'));
});
