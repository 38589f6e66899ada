import { type ByteReply, startByteServer, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openCliFixture, textChunk } from './cli-fixture.js';

const event = (payload: unknown) => `data: ${typeof payload === 'string' ? payload : JSON.stringify(payload)}\n\n`;
const choice = (delta: object, finish_reason: string | null = null) =>
  event({ choices: [{ index: 0, delta, finish_reason }] });
const END = choice({}, 'stop') + event('[DONE]');
const says = (content: string): ByteReply => ({ chunks: [choice({ content }) + END] });
const callOf = (name: string, input: object) =>
  choice({ tool_calls: [{ index: 0, id: 'c1', function: { name, arguments: JSON.stringify(input) } }] });
const APPEND = callOf('run_shell_command', { command: 'echo once >> log.txt' });
const refusal = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): ByteReply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  chunks: [JSON.stringify({ error: { message } })],
});

/** Runs the program with one prompt against these replies. */
async function run(replies: readonly ByteReply[], args: readonly string[] = []) {
  await using server = await startByteServer(replies);
  await using fixture = await openCliFixture();
  const env = { ...fixture.env, OPENAI_BASE_URL: `${server.url}/v1` };
  const program = await fixture.start(['-p', 'go', '--yolo', ...args], { env });
  program.endInput();
  const { code } = await program.exited;
  const models = server.requests.map(({ body }) => (JSON.parse(body) as { model: string }).model);
  const log = await fixture.workspace.read('log.txt').catch(() => '');
  const stdout = program.lines.map(({ text }) => text).join('\n');
  return { code, stdout, stderr: program.stderr, models, log, url: server.url };
}

test('an answer that breaks during a call is requested again, and the call runs once', async () => {
  verifies('F68');
  const broken: ByteReply = { chunks: [choice({ content: 'I will' }), APPEND], ending: 'reset' };
  const whole: ByteReply = { chunks: [APPEND + choice({}, 'tool_calls') + event('[DONE]')] };
  const { code, stdout, stderr, log, models } = await run([broken, whole, says('Done.')]);
  expect({ code, log, calls: models.length }).toEqual({ code: 0, log: 'once\n', calls: 3 });
  expect(stdout).toMatch(/Done\.$/);
  expect(stderr).toContain('The answer broke off and is discarded.');
  expect(stderr).toContain('Retrying in 1 s');
});

test('a fallback model from the settings replaces an overloaded one', async () => {
  const overloaded = refusal(503, 'overloaded', { 'retry-after-ms': '1' });
  const settings = ['--model', 'first', '--settings', '{"fallbackModel":"second"}'];
  const { code, stdout, stderr, models } = await run([overloaded, overloaded, overloaded, says('Hello.')], settings);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Hello.' });
  expect(models).toEqual(['first', 'first', 'first', 'second']);
  expect(stderr).toContain('Continuing with second.');
});

test('an empty answer is requested once more, then the program fails', async () => {
  verifies('F78');
  const nothing: ByteReply = { chunks: [END] };
  const healed = await run([nothing, says('Hello.')]);
  expect({ code: healed.code, stdout: healed.stdout }).toEqual({ code: 0, stdout: 'Hello.' });
  const { code, stdout, stderr, models } = await run([nothing]);
  expect({ code, stdout, calls: models.length }).toEqual({ code: 1, stdout: '', calls: 2 });
  expect(stderr).toContain('returned an empty answer. A retry did not help.');
});

test('the parts of a truncated answer become one text', async () => {
  const cut: ByteReply = { chunks: [choice({ content: 'The quick bro' }) + choice({}, 'length') + event('[DONE]')] };
  const { code, stdout } = await run([cut, says('wn fox')]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'The quick brown fox' });
});

test('the error for a refused key names the model, the address and the variable', async () => {
  const { code, stderr, models, url } = await run([refusal(401, 'bad key')], ['--model', 'first']);
  expect(code).toBe(1);
  expect(models).toHaveLength(1);
  expect(stderr).toContain('The provider returned 401: bad key.');
  expect(stderr).toContain(`The model was first at ${url}/v1/chat/completions. Check OPENAI_API_KEY.`);
});

test('an HTML page instead of an answer is not requested again', async () => {
  const page: ByteReply = { chunks: ['<!doctype html><title>Guest network</title>'] };
  const { code, stderr, models } = await run([page]);
  expect({ code, calls: models.length }).toEqual({ code: 1, calls: 1 });
  expect(stderr).toContain('an HTML page, "Guest network". Check OPENAI_BASE_URL. The model was');
});

test('time limits come from flags and settings', async () => {
  const silent: ByteReply = { chunks: [textChunk('Hel')], ending: 'hang' };
  const settings = JSON.stringify({ modelOptions: { timeouts: { idle: 0.3 }, retry: { time: 0 } } });
  const fromSettings = await run([silent], ['--settings', settings]);
  expect(fromSettings.stderr).toContain('The response stalled: no data for 0.3 s. Set --idle-timeout to wait longer.');
  const fromFlags = await run([silent], ['--settings', settings, '--answer-timeout', '0.2']);
  expect(fromFlags.stderr).toContain('The answer did not end within 0.2 s.');
});

test('a delay beyond the limit ends the run and reports the delay and the flag', async () => {
  const { code, stderr, models } = await run([refusal(429, 'later', { 'retry-after': '70' })], ['--max-retry-wait=60']);
  expect({ code, calls: models.length }).toEqual({ code: 1, calls: 1 });
  expect(stderr).toContain('The provider asks to wait 70 s, more than --max-retry-wait allows.');
});
