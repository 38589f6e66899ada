import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { calls, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { BIN, control, openCliFixture, prompt, QUESTION, RESULT, SDK_FLAGS } from './cli-fixture.js';

const OK = { code: 0, signal: null };

test('if the input ends right after the prompt, the turn completes and is fully written', async () => {
  verifies('F26', 'FB7', 'GAP-10');
  await using fixture = await openCliFixture([says('one'), says('two')]);
  const agent = await fixture.startMachine();
  agent.send(prompt('a'));
  agent.write(JSON.stringify(prompt('b')));
  agent.endInput();
  expect(await agent.exited).toEqual(OK);
  expect(agent.lines.flatMap(({ json }) => json?.['result'] ?? [])).toEqual(['one', 'two']);
});

test('requests right before the end of the input are answered', async () => {
  verifies('GAP-10', 'N-08');
  await using fixture = await openCliFixture([says('hello')]);
  const agent = await fixture.startMachine();
  agent.send(prompt('hi'));
  await agent.next(RESULT);
  const requests = [
    control('1', { subtype: 'initialize', protocol_version: 1 }),
    control('2', { subtype: 'set_model', model: 'other' }),
    control('3', { subtype: 'set_permission_mode', mode: 'plan' }),
  ];
  agent.write(requests.map((request) => `${JSON.stringify(request)}\n`).join(''));
  agent.endInput();
  expect(await agent.exited).toEqual(OK);
  const answered = agent.lines.flatMap(({ json }) => (json?.['type'] === 'control_response' ? [json] : []));
  expect(answered).toHaveLength(3);
  const told = agent.lines.map(({ json }) => json?.['subtype']);
  expect(told).toEqual(expect.arrayContaining(['model_changed', 'permission_mode_changed']));
});

test('the input ends while a permission question is open: denied immediately, with a result and exit code 0', async () => {
  verifies('F25', 'GAP-10', 'S28');
  await using fixture = await openCliFixture([
    calls({ name: 'write_file', input: { file_path: 'a.txt', content: 'x' } }),
    says('I was not allowed.'),
  ]);
  const agent = await fixture.startMachine();
  agent.send(prompt('write'));
  await agent.next(QUESTION);
  agent.endInput();
  expect(JSON.stringify(await agent.next({ type: 'user' }))).toContain('Input closed');
  await agent.next({ ...RESULT, result: 'I was not allowed.', permission_denials: [{ tool_name: 'write_file' }] });
  expect(await agent.exited).toEqual(OK);
});

test('an error result also ends with exit code 0, because the app has received it', async () => {
  verifies('FB9', 'GAP-11');
  await using fixture = await openCliFixture([
    () => ({ error: { message: 'no', type: 'invalid_request_error' }, status: 400 }),
  ]);
  const agent = await fixture.startMachine();
  agent.send(prompt('hi'));
  agent.endInput();
  expect(await agent.exited).toEqual(OK);
  expect(agent.lines.at(-1)?.json).toMatchObject({
    type: 'result',
    is_error: true,
    error: { code: 'invalid_request' },
  });
});

test('a session that cannot be opened returns an error result, and the program exits with code 1 at the end of input', async () => {
  verifies('FB9', 'FB18');
  await using fixture = await openCliFixture([says('never')]);
  const agent = await fixture.startMachine(['--resume', '0f9d2c52-3c0a-4f1e-9d59-0d8a3c9a1b11']);
  agent.send(prompt('hi'));
  expect(await agent.next(RESULT)).toMatchObject({ is_error: true, error: { code: 'session_not_found' } });
  agent.endInput();
  expect(await agent.exited).toEqual({ code: 1, signal: null });
});

test('a paused output is written when the input ends', async () => {
  verifies('F29');
  await using fixture = await openCliFixture([says('hello')]);
  const agent = await fixture.startMachine();
  agent.send(control('pause', { subtype: 'set_output_flow', paused: true }));
  agent.send(prompt('hi'));
  agent.endInput();
  expect(await agent.exited).toEqual(OK);
  expect(agent.lines.at(-1)?.json).toMatchObject({ type: 'result', result: 'hello' });
});

test.each([
  ['nothing at all', '<&-'],
  ['/dev/null', '</dev/null'],
])('stdin is %s: no prompt, exit 0', async (_what, redirection) => {
  verifies('F27');
  await using fixture = await openCliFixture();
  const agent = await fixture.start([], {
    command: '/bin/sh',
    args: ['-c', `"$0" "$@" ${redirection}`, process.execPath, BIN, ...SDK_FLAGS],
  });
  expect(await agent.exited).toEqual(OK);
  expect(agent.lines).toEqual([]);
});

test('stdin may be a file', async () => {
  verifies('F26');
  await using fixture = await openCliFixture([says('from a file')]);
  const file = openSync(await fixture.workspace.write('in.jsonl', `${JSON.stringify(prompt('hi'))}\n`), 'r');
  const child = spawn(process.execPath, [BIN, ...SDK_FLAGS], {
    env: fixture.env,
    cwd: fixture.workspace.path,
    stdio: [file, 'pipe', 'inherit'],
  });
  closeSync(file);
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(text).toContain('"result":"from a file"');
});
