import { calls, says, startByteServer, verifies, waitUntilGone } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { answerTo, control, openCliFixture, prompt, QUESTION, RESULT, STOP, textChunk } from './cli-fixture.js';

const INTERRUPT = control('stop', { subtype: 'interrupt' });
const INTERRUPTED = { ...RESULT, subtype: 'interrupted', is_error: false, terminal_reason: 'user' };

test('while text streams: the turn ends, the text is kept, and the next prompt works', async () => {
  verifies('F48', 'M-22', 'M-23', 'M-24', 'M-25', 'FB8');
  await using server = await startByteServer([
    { chunks: [textChunk('Once upon')], ending: 'hang' },
    { chunks: [textChunk('Hello again.'), STOP] },
  ]);
  await using fixture = await openCliFixture();
  const agent = await fixture.startMachine(['--include-partial-messages'], {
    env: { ...fixture.env, OPENAI_BASE_URL: `${server.url}/v1` },
  });
  agent.send(prompt('tell'));
  await agent.next({ type: 'stream_event', event: { type: 'content_block_delta' } });
  agent.send(INTERRUPT);
  expect(await agent.next(answerTo('stop'))).toMatchObject({ response: { subtype: 'success', response: null } });
  await agent.next({ type: 'assistant', message: { stop_reason: 'interrupted' } });
  await agent.next(INTERRUPTED);
  await server.closed(1);
  agent.send(prompt('hello'));
  await agent.next({ ...RESULT, subtype: 'success' });
  expect(server.requests[1]?.body).toContain('Once upon');
});

test('while a permission waits: the question is withdrawn and the tool does not run', async () => {
  verifies('F49', 'J-23', 'N-08');
  await using fixture = await openCliFixture([
    calls({ name: 'write_file', input: { file_path: 'a.txt', content: 'x' } }),
    says('hello again'),
  ]);
  const agent = await fixture.startMachine();
  agent.send(prompt('write'));
  const { request_id } = await agent.next(QUESTION);
  agent.send(INTERRUPT);
  await agent.next({ type: 'control_cancel_request', request_id });
  await agent.next(INTERRUPTED);
  agent.send(prompt('hello'));
  await agent.next({ ...RESULT, result: 'hello again' });
  const roles = fixture.model.requests[1]?.messages.map(({ role }) => role);
  expect(roles?.filter((role) => role === 'tool')).toHaveLength(1);
  await expect(fixture.workspace.read('a.txt')).rejects.toThrow(/ENOENT/);
});

test('while a tool runs: its processes end', async () => {
  verifies('F49', 'FB8');
  await using fixture = await openCliFixture([
    calls({ name: 'run_shell_command', input: { command: 'echo $$ > pid; sleep 1000' } }),
    says('hello again'),
  ]);
  const agent = await fixture.startMachine(['--yolo']);
  agent.send(prompt('sleep'));
  await expect.poll(() => fixture.workspace.read('pid').catch(() => ''), { timeout: 10_000 }).toMatch(/\d+\n/);
  agent.send(INTERRUPT);
  await agent.next(INTERRUPTED);
  await waitUntilGone(Number(await fixture.workspace.read('pid')));
});

test('while a retry is pending', async () => {
  verifies('F49', 'F58');
  await using server = await startByteServer([{ status: 429, headers: { 'retry-after': '50' }, chunks: ['{}'] }]);
  await using fixture = await openCliFixture();
  const agent = await fixture.startMachine([], { env: { ...fixture.env, OPENAI_BASE_URL: `${server.url}/v1` } });
  agent.send(prompt('tell'));
  await agent.next({ type: 'system', subtype: 'retry', data: { attempt: 1, delay_ms: 50_000, code: 'rate_limited' } });
  agent.send(INTERRUPT);
  await agent.next(INTERRUPTED);
  expect(server.requests).toHaveLength(1);
});

test('repeated, idle and late interrupts are answered once each and stop no later turn', async () => {
  verifies('F50', 'GAP-46');
  await using fixture = await openCliFixture([
    calls({ name: 'write_file', input: { file_path: 'a.txt', content: 'x' } }),
    says('hello'),
  ]);
  const agent = await fixture.startMachine();
  agent.send(control('idle', { subtype: 'interrupt' }));
  await agent.next(answerTo('idle'));
  agent.send(prompt('write'));
  await agent.next(QUESTION);
  agent.send(control('one', { subtype: 'interrupt' }));
  agent.send(control('two', { subtype: 'interrupt' }));
  await agent.next(answerTo('one'));
  await agent.next(answerTo('two'));
  await agent.next(INTERRUPTED);
  agent.send(control('late', { subtype: 'interrupt' }));
  agent.send(prompt('hello'));
  await agent.next({ ...RESULT, subtype: 'success', result: 'hello' });
  const answered = agent.lines.filter(({ json }) => json?.['type'] === 'control_response');
  expect(answered).toHaveLength(4);
});

test('a prompt and its interrupt may arrive together', async () => {
  verifies('F50');
  await using fixture = await openCliFixture([says('the second')]);
  const agent = await fixture.startMachine();
  const lines = [prompt('first'), prompt('second'), INTERRUPT];
  agent.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  agent.endInput();
  await agent.next(INTERRUPTED);
  await agent.next({ ...RESULT, result: 'the second' });
  expect(fixture.model.requests).toHaveLength(1);
});

test('when the lease of the app expires: the program and its commands end, though nothing reads its output', async () => {
  await using fixture = await openCliFixture([
    calls({ name: 'run_shell_command', input: { command: 'echo $$ > pid; sleep 1000' } }),
    says('word '.repeat(100_000)),
  ]);
  const lease = () => control('lease', { subtype: 'renew_lease', ttl_ms: 300, expires_at: Date.now() + 300 });
  const working = await fixture.startMachine(['--yolo'], { reads: 'later' });
  working.send(prompt('sleep'));
  await expect.poll(() => fixture.workspace.read('pid').catch(() => ''), { timeout: 10_000 }).toMatch(/\d+\n/);
  working.send(lease());
  await waitUntilGone(working.pid);
  await waitUntilGone(Number(await fixture.workspace.read('pid')));

  // The answer overfills the pipe.
  const talking = await fixture.startMachine(['--include-partial-messages'], { reads: 'later' });
  talking.send(prompt('talk'));
  await expect.poll(() => fixture.model.requests.length, { timeout: 10_000 }).toBe(2);
  talking.send(lease());
  await waitUntilGone(talking.pid);
});
