import { readFileSync } from 'node:fs';
import { calls, type LineMatch, type LineProcess, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { chat, expectOnlyProtocol, isReceipt, isSummary, openLinesFixture } from './fixture.ts';

// Every input that the two documents show, to the letter, sent to a real process.

const FOLDER = new URL('../../packages/protocol/test/', import.meta.url);
const readFixture = (path: string): unknown => JSON.parse(readFileSync(new URL(`${path}.json`, FOLDER), 'utf8'));
const input = (name: string) => readFixture(`openai-fixtures/${name}`);
const controlFixture = (name: string) => readFixture(`fixtures/${name}`);

const TURNS = [
  '000-input-chat-request',
  '001-input-chat-request',
  '001-input-explicit-at',
  '000-input-messages-form-stream-json',
  '001-input-messages-form-stream-chunk-json',
];

test.each(TURNS)('%s is answered', async (name) => {
  verifies('A-15', 'A-16', 'E-01', 'E-15', 'E-27', 'E-30');
  await using fixture = await openLinesFixture([says('Answered.')]);
  await fixture.workspace.write('src/main.py', 'print(1)\n');
  await fixture.workspace.write('main.py', 'print(1)\n');
  const program = await fixture.start('stream-json');
  program.send(input(name));
  await program.next(isSummary);
  program.endInput();
  expect(await program.exited).toEqual({ code: 0, signal: null });
  expectOnlyProtocol(program.lines);
});

const COMMANDS: readonly (readonly [name: string, answer: LineMatch])[] = [
  ['input-explicit-slash', { type: 'result/command', command: { kind: 'slash', path: ['chat', 'list'] } }],
  ['input-heartbeat-request', { type: 'result/heartbeat', session_id: 'session-123', status: 'ok' }],
  ['input-control-cancel', { type: 'result/cancel', session_id: 'session-123', status: 'noop' }],
  ['input-command-hint-request-slash', hintsWith('chat', 'clear', 'compress', 'copy', 'corgi')],
];
const LATER_COMMANDS: typeof COMMANDS = [
  ['input-command-hint-request-help-alias', hintsWith('help')],
  // Its folder is not there: that is an answer too.
  ['input-command-hint-request-at', { type: 'result/command_hint', session_id: 'session-123', trigger: 'at' }],
];

test.each([
  ['000', COMMANDS],
  ['001', [...COMMANDS, ...LATER_COMMANDS]],
] as const)('commands, heartbeats, cancels and hints of document %s are answered', async (document, commands) => {
  verifies('A-15', 'A-16', 'E-27', 'E-30', 'F-06', 'G-01', 'H-01', 'I-01');
  await using fixture = await openLinesFixture([says('Answered.')]);
  const program = await fixture.start('stream-json');
  for (const [name, answer] of commands) {
    program.send(input(`${document}-${name}`));
    await program.next(answer);
  }
  program.endInput();
  expect(await program.exited).toEqual({ code: 0, signal: null });
  expectOnlyProtocol(program.lines);
});

test('the at hint of the document works in the folder of the test', async () => {
  verifies('G-19', 'G-20', 'G-07', 'G-11', 'G-18');
  await using fixture = await openLinesFixture([says('Nothing was said.')]);
  await fixture.workspace.write('src/components/Button with spaces.tsx', '');
  await fixture.workspace.write('src/commands.ts', '');
  const program = await fixture.start('stream-json');
  const request = { ...Object(input('001-input-command-hint-request-at')), context: { cwd: fixture.workspace.path } };
  program.send(request);
  const hints = await program.next({ type: 'result/command_hint', status: 'ok' });
  expect(hints).toMatchObject({
    session_id: 'session-123',
    prompt_id: 'session-123########preview',
    trigger: 'at',
    metadata: { is_perfect_match: false, text: '@src/co', cursor: 7 },
  });
  const { suggestions } = hints as { suggestions: { label: string; value: string }[] };
  expect(suggestions).toContainEqual({ label: 'src/components/', value: 'src/components/' });
  expect(suggestions).toContainEqual({
    label: 'src/components/Button with spaces.tsx',
    value: 'src/components/Button\\ with\\ spaces.tsx',
  });
  expect(fixture.model.requests).toHaveLength(0);
});

test.each(['000-input-control-response-success', '001-input-control-response-success'])(
  '%s, with the ID of the question, allows the tool',
  async (name) => {
    verifies('J-18', 'CF-32', 'J-02');
    await using fixture = await openLinesFixture([
      calls({ name: 'write_file', input: { file_path: 'a.txt', content: 'hello' } }),
      says('Written.'),
    ]);
    const program = await fixture.start('stream-json');
    program.send(chat('write'));
    const question = await program.next({
      type: 'control_request',
      subtype: 'can_use_tool',
      tool: { name: 'write_file' },
    });
    program.send({ ...Object(controlFixture(name)), request_id: question['request_id'] });
    await program.next(isSummary);
    expect(await fixture.workspace.read('a.txt')).toBe('hello');
  },
);

test('the error body of the specification is a denial', async () => {
  verifies('J-10', 'L-02');
  await using fixture = await openLinesFixture([
    calls({ name: 'write_file', input: { file_path: 'a.txt', content: 'hello' } }),
    says('Not written.'),
  ]);
  const program = await fixture.start('stream-json');
  program.send(chat('write'));
  const question = await program.next({ type: 'control_request' });
  program.send({
    ...Object(controlFixture('000-input-control-response-error')),
    request_id: question['request_id'],
  });
  await program.next(isSummary);
  await expect(fixture.workspace.read('a.txt')).rejects.toThrow('ENOENT');
});

test('the clear instruction of the specification clears the history', async () => {
  verifies('E-17', 'E-28', 'E-14');
  await using fixture = await openLinesFixture([says('Noted.'), says('Hello.')]);
  const program = await fixture.start('stream-json');
  const session = { session_id: 'session-123' };
  program.send(chat('The word is Minka.', session));
  await program.next(isSummary);
  program.send({ ...session, input: { origin: 'system', parts: [input('001-input-part-instruction-clear')] } });
  program.send(chat('Which word?', session));
  await program.next(isSummary);
  expect(fixture.model.requests).toHaveLength(2);
  expect(JSON.stringify(fixture.model.requests[1]?.messages)).not.toContain('Minka');
});

function hintsWith(...labels: readonly string[]): LineMatch {
  return (line) => {
    if (line['type'] !== 'result/command_hint' || line['status'] !== 'ok') return false;
    expect((line as { suggestions: { label: string }[] }).suggestions.map(({ label }) => label)).toEqual(
      expect.arrayContaining([...labels]),
    );
    return true;
  };
}

test('several inputs in one process: each session remembers only its own', async () => {
  verifies('A-18', 'E-02', 'E-03', 'CF-64');
  await using fixture = await openLinesFixture([
    (request) => says(String(JSON.stringify(request.messages).includes('Minka'))),
  ]);
  const program = await fixture.start('stream-json');
  await program.next(isReceipt);
  expect(await said(program, 'one', 'My cat is called Minka.')).toBe('true');
  expect(await said(program, 'two', 'What is my cat called?')).toBe('false');
  expect(await said(program, 'one', 'What is my cat called?')).toBe('true');
});

async function said(program: LineProcess, session: string, text: string): Promise<string> {
  program.send(chat(text, { session_id: session }));
  const line = await program.next((told) => {
    const { session_id: id } = Object(told['metadata']);
    return id === session && Object((told as { choices?: object[] }).choices?.[0])['finish_reason'] === 'stop';
  });
  await program.next(isSummary);
  return Object(line as { choices: object[] }).choices[0].message.content;
}
