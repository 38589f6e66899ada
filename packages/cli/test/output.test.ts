import { says, startByteServer, verifies, waitUntilGone } from '@qwen/testkit';
import { expect, test } from 'vitest';
import {
  answer,
  answerTo,
  BIN,
  type CliFixture,
  control,
  openCliFixture,
  prompt,
  RESULT,
  SDK_FLAGS,
  STOP,
  textChunk,
} from './cli-fixture.js';

const SESSION = '0f9d2c52-3c0a-4f1e-9d59-0d8a3c9a1b11';

const sessionFile = (fixture: CliFixture) =>
  fixture.workspace.read(`home/.qwen/sessions/${SESSION}.jsonl`).catch(() => '');

/** The words of the pieces that arrived, in order. */
const pieces = (lines: readonly { json: Record<string, unknown> | undefined }[]) =>
  lines.map(({ json }) => (json as { event?: { delta?: { text?: string } } })?.event?.delta?.text ?? '').join('');

test('a last line of 3 MiB reaches a reader that starts long after the program finished', async () => {
  verifies('F32', 'T22');
  const text = 'é'.repeat((3 * 1024 * 1024) / 2);
  await using server = await startByteServer([{ chunks: [textChunk(text), STOP] }]);
  await using fixture = await openCliFixture();
  const env = { ...fixture.env, OPENAI_BASE_URL: `${server.url}/v1` };
  const agent = await fixture.startMachine(['--session-id', SESSION], { env, reads: 'later' });
  agent.send(prompt('hi'));
  agent.endInput();
  // The model has said it all, and the answer is more than any pipe holds.
  await expect.poll(() => sessionFile(fixture), { timeout: 10_000 }).toContain('"type":"assistant"');
  agent.startReading();
  expect(await agent.exited).toEqual({ code: 0, signal: null });
  expect(agent.lines.at(-1)?.json?.['result'] === text).toBe(true);
});

test('small lines that were unread when the input ended arrive as well', async () => {
  verifies('F32');
  await using fixture = await openCliFixture();
  const agent = await fixture.startMachine(['--debug'], { reads: 'later' });
  const requests = Array.from({ length: 3000 }, (_, index) => control(`${index}`, { subtype: 'initialize' }));
  agent.write(requests.map((request) => `${JSON.stringify(request)}\n`).join(''));
  agent.send(answer('nobody asked', {}));
  agent.endInput();
  await expect.poll(() => agent.stderr, { timeout: 10_000 }).toContain('unexpected_response');
  agent.startReading();
  expect(await agent.exited).toEqual({ code: 0, signal: null });
  expect(agent.lines).toHaveLength(3000);
});

test('a paused output holds data lines, answers control requests, and loses nothing', async () => {
  verifies('F29', 'FB3', 'M-72', 'F33', 'GAP-51');
  const words = Array.from({ length: 500 }, (_, index) => `word ${index} `);
  await using server = await startByteServer([{ chunks: [words.map(textChunk).join(''), STOP] }]);
  await using fixture = await openCliFixture();
  const env = { ...fixture.env, OPENAI_BASE_URL: `${server.url}/v1` };
  const agent = await fixture.startMachine(['--include-partial-messages', '--session-id', SESSION], { env });
  agent.send(control('pause', { subtype: 'set_output_flow', paused: true }));
  agent.send(prompt('hi'));
  expect(await agent.next(answerTo('pause'))).toMatchObject({ response: { response: { paused: true } } });
  // From now on the turn would show if nothing held it.
  await expect.poll(() => sessionFile(fixture), { timeout: 10_000 }).toContain('"type":"session"');
  agent.send(control('ask', { subtype: 'supported_commands' }));
  await agent.next(answerTo('ask'));
  expect(agent.lines.map(({ json }) => json?.['type'])).toEqual(['control_response', 'control_response']);
  agent.send(control('resume', { subtype: 'set_output_flow', paused: false }));
  await agent.next(RESULT);
  expect(pieces(agent.lines)).toBe(words.join(''));
});

test('an interrupt is answered and works while the output is paused', async () => {
  verifies('F48', 'F29', 'M-72');
  await using server = await startByteServer([{ chunks: [textChunk('Once upon')], ending: 'hang' }]);
  await using fixture = await openCliFixture();
  const env = { ...fixture.env, OPENAI_BASE_URL: `${server.url}/v1` };
  const agent = await fixture.startMachine(['--include-partial-messages'], { env });
  agent.send(prompt('tell'));
  await agent.next({ type: 'stream_event', event: { type: 'content_block_delta' } });
  agent.send(control('pause', { subtype: 'set_output_flow', paused: true }));
  agent.send(control('stop', { subtype: 'interrupt' }));
  await agent.next(answerTo('stop'));
  await server.closed(1);
  const count = agent.lines.length;
  agent.send(control('resume', { subtype: 'set_output_flow', paused: false }));
  await agent.next({ ...RESULT, subtype: 'interrupted' });
  expect(agent.lines.slice(0, count).some(({ json }) => json?.['type'] === 'result')).toBe(false);
});

test('a reader that leaves closes the model call and ends the program without a stack trace', async () => {
  verifies('F28', 'GAP-11', 'T22', 'GAP-51');
  const more = Promise.withResolvers<string>();
  await using server = await startByteServer([{ chunks: [textChunk('Once upon'), more.promise], ending: 'hang' }]);
  await using fixture = await openCliFixture();
  const env = { ...fixture.env, OPENAI_BASE_URL: `${server.url}/v1` };
  const agent = await fixture.startMachine(['--include-partial-messages'], { env });
  agent.send(prompt('tell'));
  await agent.next({ type: 'stream_event', event: { type: 'content_block_delta' } });
  agent.closeOutput();
  more.resolve(textChunk(' a time'));
  expect(await agent.exited).toEqual({ code: 1, signal: null });
  await server.closed(1);
  expect(agent.stderr).toBe('');
});

test('a reader that leaves while a tool runs also ends the tool', async () => {
  verifies('F28');
  await using fixture = await openCliFixture([
    {
      toolCalls: [
        { id: 'c1', name: 'run_shell_command', arguments: '{"command":"echo $$ > pid; sleep 1000"}' },
        { id: 'c2', name: 'no_such_tool', arguments: '{}' },
      ],
    },
  ]);
  const agent = await fixture.startMachine(['--yolo']);
  agent.send(prompt('sleep'));
  await expect.poll(() => fixture.workspace.read('pid').catch(() => ''), { timeout: 10_000 }).toMatch(/\d+\n/);
  agent.closeOutput();
  agent.send(control('any', { subtype: 'supported_commands' }));
  expect(await agent.exited).toEqual({ code: 1, signal: null });
  await waitUntilGone(Number(await fixture.workspace.read('pid')));
});

test('output of libraries and of our own code goes to stderr', async () => {
  verifies('A-16', 'T24', 'F11', 'M-75');
  await using fixture = await openCliFixture([says('ok')]);
  const chatter = `setInterval(() => { console.log('from a library'); process.stdout.write('directly\\n'); }, 20).unref()`;
  const agent = await fixture.startMachine(['--flag-of-the-future', 'value', '--betas=high', '--debug'], {
    env: { ...fixture.env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(chatter)}` },
  });
  agent.send('{"type":"from_the_future"}');
  agent.send(prompt('hi'));
  await agent.next(RESULT);
  await expect.poll(() => agent.stderr, { timeout: 10_000 }).toContain('directly');
  expect(agent.stderr).toContain('from a library');
  expect(agent.stderr).toContain('qwen: --flag-of-the-future is unknown and was ignored\n');
  expect(agent.stderr).toContain('qwen: --betas has no effect in this version of qwen\n');
  expect(agent.stderr).toContain('qwen: invalid_message: ');
  expect(agent.lines.every(({ json }) => json !== undefined)).toBe(true);
});

test('if no one reads the output, only the output is lost', async () => {
  verifies('F31');
  await using fixture = await openCliFixture([says('ok')]);
  const closed = '{ "$0" "$@" 2>&1 >&3 | true; } 3>&1';
  const agent = await fixture.startMachine([], {
    command: '/bin/sh',
    args: ['-c', closed, process.execPath, BIN, ...SDK_FLAGS, '--debug', '--betas=high'],
  });
  for (let index = 0; index < 3; index += 1) {
    agent.send('{"type":"from_the_future"}');
    agent.send(control(`${index}`, { subtype: 'supported_commands' }));
    await agent.next(answerTo(`${index}`));
  }
  agent.send(prompt('hi'));
  expect(await agent.next(RESULT)).toMatchObject({ result: 'ok' });
});
