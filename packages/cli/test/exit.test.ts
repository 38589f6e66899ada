import { readFile } from 'node:fs/promises';
import { calls, type LineProcess, says, startLineProcess, verifies, waitUntilGone } from '@qwen/testkit';
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
} from './cli-fixture.js';

const SLEEPS = calls({ name: 'run_shell_command', input: { command: 'echo $$ > pid; sleep 1000' } });

async function toolPid(fixture: CliFixture): Promise<number> {
  await expect.poll(() => fixture.workspace.read('pid').catch(() => ''), { timeout: 10_000 }).toMatch(/\d+\n/);
  return Number(await fixture.workspace.read('pid'));
}

const SIGNALS = [
  ['SIGTERM', 143],
  ['SIGINT', 130],
  ['SIGHUP', 129],
] as const;

test.each(SIGNALS)('%s while idle: exit %i', async (signal, code) => {
  verifies('F56', 'GAP-11');
  await using fixture = await openCliFixture();
  const agent = await fixture.startMachine();
  agent.send(control('1', { subtype: 'supported_commands' }));
  await agent.next(answerTo('1'));
  agent.kill(signal);
  expect(await agent.exited).toEqual({ code, signal: null });
  expect(agent.stderr).toBe('');
});

test('a signal while a tool runs: the result is written, the tool has exited, the session file is complete', async () => {
  verifies('F56', 'GAP-11', 'F97');
  await using fixture = await openCliFixture([SLEEPS]);
  const agent = await fixture.startMachine(['--yolo']);
  agent.send(prompt('sleep'));
  const { session_id } = await agent.next({ type: 'system', subtype: 'init' });
  const tool = await toolPid(fixture);
  agent.kill('SIGTERM');
  expect(await agent.exited).toEqual({ code: 143, signal: null });
  await waitUntilGone(tool);
  expect(agent.lines.at(-1)?.json).toMatchObject({ ...RESULT, subtype: 'interrupted', terminal_reason: 'shutdown' });
  const file = await readFile(fixture.workspace.resolve('home/.qwen/sessions', `${String(session_id)}.jsonl`), 'utf8');
  const records = file
    .trimEnd()
    .split('\n')
    .map((line): { type: string } => JSON.parse(line));
  expect(records.map(({ type }) => type)).toEqual(['session', 'user', 'assistant', 'tool_result', 'turn_end']);
});

test.skipIf(process.platform === 'win32')('a command cannot make the program open a debugger', async () => {
  await using fixture = await openCliFixture([
    calls({ name: 'run_shell_command', input: { command: 'kill -USR1 $PPID' } }),
    says('done'),
  ]);
  const agent = await fixture.startMachine(['--yolo']);
  agent.send(prompt('debug'));
  await agent.next({ type: 'result', subtype: 'success' });
  agent.kill('SIGTERM');
  await agent.exited;
  expect(agent.stderr).not.toContain('Debugger listening');
});

/** Fills the pipe of a program whose output is not read, and waits until it has read everything. */
async function fillOutput(agent: LineProcess): Promise<void> {
  const requests = Array.from({ length: 3000 }, (_, index) => control(`${index}`, { subtype: 'initialize' }));
  agent.write(requests.map((request) => `${JSON.stringify(request)}\n`).join(''));
  agent.send(answer('nobody asked', {}));
  await expect.poll(() => agent.stderr, { timeout: 10_000 }).toContain('unexpected_response');
}

test('a signal ends the program even if its output is not read', async () => {
  verifies('F56', 'F29');
  await using fixture = await openCliFixture([says('never read')]);
  const agent = await fixture.start([...SDK_FLAGS, '--debug'], { reads: 'later' });
  await fillOutput(agent);
  agent.send(prompt('hi'));
  agent.kill('SIGTERM');
  await waitUntilGone(agent.pid, { deadlineMs: 5_000 });
  agent.startReading();
  expect(await agent.exited).toEqual({ code: 143, signal: null });
});

test('a signal ends the program while the end of input waits for a reader', async () => {
  verifies('F56');
  await using fixture = await openCliFixture();
  const agent = await fixture.start([...SDK_FLAGS, '--debug'], { reads: 'later' });
  await fillOutput(agent);
  agent.endInput();
  agent.kill('SIGTERM');
  await waitUntilGone(agent.pid, { deadlineMs: 5_000 });
  agent.startReading();
  expect(await agent.exited).toEqual({ code: 143, signal: null });
});

test('a second signal ends it immediately', async () => {
  verifies('F56');
  await using fixture = await openCliFixture([SLEEPS]);
  const agent = await fixture.start([...SDK_FLAGS, '--yolo', '--debug'], { reads: 'later' });
  agent.send(prompt('sleep'));
  const tool = await toolPid(fixture);
  await fillOutput(agent);
  agent.kill('SIGHUP');
  // The first one is being obeyed.
  await waitUntilGone(tool);
  agent.kill('SIGTERM');
  await waitUntilGone(agent.pid);
  agent.startReading();
  // Left to the first signal it would have been 129.
  expect(await agent.exited).toEqual({ code: 143, signal: null });
});

/** Starts the program with a stdin that a sibling holds open too, prints its pid, and waits to be killed. */
const HOST = `
const { spawn } = require('node:child_process');
const [bin, ...args] = process.argv.slice(1);
const asks = JSON.stringify({ type: 'control_request', request_id: '1', request: { subtype: 'interrupt' } });
const holder = spawn('sh', ['-c', 'echo "$0"; exec sleep 1000', asks], { stdio: ['ignore', 'pipe', 'ignore'] });
const agent = spawn(process.execPath, [bin, ...args], { stdio: [holder.stdout, 'inherit', 'inherit'] });
console.log(JSON.stringify({ type: 'started', agent: agent.pid, holder: holder.pid }));
setInterval(() => {}, 1000);
`;

test('the program exits after its parent is killed, even if a sibling holds its input open', async () => {
  verifies('F37', 'T31', 'FB6');
  await using fixture = await openCliFixture();
  await using host = await startLineProcess({
    command: process.execPath,
    args: ['-e', HOST, BIN, ...SDK_FLAGS],
    env: fixture.env,
    cwd: fixture.workspace.path,
  });
  const { agent, holder } = await host.next({ type: 'started' });
  await host.next(answerTo('1'));
  host.kill('SIGKILL');
  try {
    await waitUntilGone(Number(agent), { deadlineMs: 5_000 });
  } finally {
    process.kill(Number(holder), 'SIGKILL');
  }
  expect(host.lines).toHaveLength(2);
});
