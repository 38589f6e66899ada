import { readFile } from 'node:fs/promises';
import { calls, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { prompt } from '../cli-fixture.js';
import { chat, LINES, openCliFixture, SUMMARY, said, startLines } from './openai-fixture.js';

test('text input with line output: one prompt, its whole stream, and the exit code of its turn', async () => {
  verifies('A-06', 'A-12', 'A-13', 'GAP-10');
  await using fixture = await openCliFixture([says('Hello')]);
  const agent = await fixture.start(['--output-format', 'stream-json', 'Say hello']);
  agent.endInput();
  await agent.next({ object: 'chat.completion', metadata: { input_format: 'text' } });
  await agent.next(said('Hello'));
  await agent.next(SUMMARY);
  expect(await agent.exited).toEqual({ code: 0, signal: null });
});

test('text input with line output: a typed slash command, and files', async () => {
  verifies('A-13', 'A-28');
  await using fixture = await openCliFixture([says('Read')]);
  await fixture.workspace.write('notes.txt', 'the word is owl');
  const command = await fixture.start(['--output-format', 'stream-json']);
  command.write('/about\n');
  command.endInput();
  await command.next({ type: 'result/command', command: { path: ['about'] } });
  expect(await command.exited).toEqual({ code: 0, signal: null });
  const files = await fixture.start(['--output-format', 'stream-chunk-json', 'What is in @notes.txt?']);
  files.endInput();
  expect(await files.exited).toEqual({ code: 0, signal: null });
  expect(JSON.stringify(fixture.model.requests[0]?.messages)).toContain('the word is owl');
});

test('text input: a call that needs permission is denied with instructions to allow it', async () => {
  verifies('GAP-06', 'L-01', 'L-02', 'L-03');
  await using fixture = await openCliFixture([
    calls({ name: 'write_file', input: { file_path: 'a.txt', content: 'x' } }),
    says('I may not'),
  ]);
  const agent = await fixture.start(['--output-format', 'stream-json', 'Write']);
  agent.endInput();
  await agent.next(said('I may not'));
  expect(await agent.exited).toEqual({ code: 0, signal: null });
  expect(JSON.stringify(fixture.model.requests.at(-1)?.messages)).toContain('--allowed-tools');
});

test('text input: the first SIGINT cancels the turn, which still writes its summary; the exit code is 130', async () => {
  verifies('GAP-06', 'D-40');
  await using fixture = await openCliFixture([says('slow '.repeat(500))], { tokensPerSecond: 60 });
  const agent = await fixture.start(['-o', 'stream-chunk-json', 'Speak']);
  agent.endInput();
  await agent.next((line) => JSON.stringify(line).includes('slow slow'));
  agent.kill('SIGINT');
  await agent.next({ type: 'x-qwen-session-event', event: 'USER_CANCELLED' });
  await agent.next({ metadata: { summary: {} } });
  expect(await agent.exited).toEqual({ code: 130, signal: null });
});

test('text input: a second SIGINT ends the program in any state', async () => {
  verifies('GAP-06');
  await using fixture = await openCliFixture([
    calls({ name: 'run_shell_command', input: { command: 'trap "" TERM INT; echo ready > started; sleep 30' } }),
  ]);
  const agent = await fixture.start(['-o', 'stream-json', '--approval-mode', 'yolo', 'Wait']);
  agent.endInput();
  await agent.next({ choices: [{ message: { tool_calls: [{}] } }] });
  agent.kill('SIGINT');
  agent.kill('SIGINT');
  expect(await agent.exited).toMatchObject({ code: 130 });
});

test('a failed turn of a one-shot run exits with 1', async () => {
  verifies('GAP-10', 'GAP-11');
  await using fixture = await openCliFixture([says('x')]);
  const agent = await fixture.start(['-o', 'stream-json', 'Hi'], {
    env: { ...fixture.env, OPENAI_BASE_URL: '', OPENAI_API_KEY: '' },
  });
  agent.endInput();
  expect(await agent.exited).toMatchObject({ code: 1 });
});

test('line input with text output: answers on stdout, everything else on stderr, no protocol', async () => {
  verifies('A-06', 'A-11');
  await using fixture = await openCliFixture([says('Hello')]);
  const agent = await fixture.start(['--input-format', 'stream-json']);
  agent.send(chat('Hi'));
  agent.send({ type: 'heartbeat_request' });
  agent.send('no JSON');
  agent.send(chat('/nope'));
  agent.endInput();
  expect(await agent.exited).toEqual({ code: 0, signal: null });
  expect(agent.lines.map(({ text }) => text).toSorted()).toEqual(['Hello', 'Unknown command: /nope']);
  expect(agent.stderr).toContain('not JSON');
});

test('-o json in this dialect is one array of completion lines', async () => {
  verifies('GAP-13');
  await using fixture = await openCliFixture([says('Hello')]);
  const agent = await fixture.start(['-o', 'json', '--dialect', 'openai', 'Hi']);
  agent.endInput();
  expect(await agent.exited).toEqual({ code: 0, signal: null });
  const lines: unknown[] = JSON.parse(agent.lines.map(({ text }) => text).join('\n'));
  expect(lines).toEqual(expect.arrayContaining([expect.objectContaining({ object: 'chat.completion' })]));
});

test('text input with lines of the sdk dialect', async () => {
  verifies('A-17');
  await using fixture = await openCliFixture([says('Hello')]);
  const agent = await fixture.start(['-o', 'stream-json', '--dialect', 'sdk', 'Hi']);
  agent.endInput();
  expect(await agent.next({ type: 'result' })).toMatchObject({ result: 'Hello' });
  expect(await agent.exited).toEqual({ code: 0, signal: null });
});

test('a recording of both directions is replayed without a model', async () => {
  verifies('GAP-56', 'L-10');
  await using fixture = await openCliFixture([says('Hello')]);
  const recording = fixture.workspace.resolve('recording.jsonl');
  const agent = await startLines(fixture, ['--record', recording]);
  agent.send(chat('Hi', { session_id: 's' }));
  await agent.next(SUMMARY);
  agent.endInput();
  await agent.exited;
  expect(await readFile(recording, 'utf8')).toContain('"in":');
  const again = await fixture.start([...LINES, '--replay', recording]);
  again.send(chat('Hi', { session_id: 's' }));
  again.endInput();
  expect(await again.exited).toEqual({ code: 0, signal: null });
  expect(again.lines.map(({ text }) => text)).toEqual(agent.lines.map(({ text }) => text));
  expect(fixture.model.requests).toHaveLength(1);
});

test('--strict-protocol refuses unknown members, and all written lines pass its check', async () => {
  verifies('GAP-39');
  await using fixture = await openCliFixture([calls({ name: 'read_file', input: { file_path: 'a' } }), says('Fine')]);
  const agent = await startLines(fixture, ['--strict-protocol']);
  agent.send(chat('Hi', { temprature: 1 }));
  expect(await agent.next({ metadata: { error: {} } })).toMatchObject({
    metadata: { error: { message: expect.stringContaining('request.temprature') } },
  });
  agent.send(chat('Hi'));
  await agent.next(said('Fine'));
  await agent.next(SUMMARY);
  agent.send(prompt('/about'));
  await agent.next({ type: 'result/command' });
  agent.endInput();
  expect(await agent.exited).toEqual({ code: 0, signal: null });
});
