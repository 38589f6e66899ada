import { globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { calls, processGone, says, verifies, waitUntilGone } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openTerminal, READY } from './terminal-fixture.js';

const LONG = Array.from({ length: 200 }, (_, index) => `word${index}`).join(' ');

test('Ctrl-C explains how to exit; a second one exits and restores the terminal', async () => {
  await using terminal = await openTerminal();
  await terminal.until(READY);
  // Keys are taken a little later than the first picture is shown.
  await terminal.until(() => terminal.marksPastes);
  terminal.press('ctrl-c');
  await terminal.until('Press Ctrl-C again to quit');
  terminal.press('ctrl-c');
  expect(await terminal.exited()).toMatchObject({ exitCode: 0 });
  expect(terminal.marksPastes).toBe(false);
  expect(terminal.screen).not.toContain(READY);
  expect(terminal.written.lastIndexOf('\u001b[?25h')).toBeGreaterThan(terminal.written.lastIndexOf('\u001b[?25l'));
});

test('the hint of Ctrl-C disappears, and then one press does not exit', async () => {
  await using terminal = await openTerminal();
  await terminal.until(READY);
  terminal.press('ctrl-c');
  await terminal.until('again to quit');
  await terminal.until((shown) => !shown.includes('again to quit'));
  terminal.press('ctrl-c');
  expect(await terminal.until('again to quit')).toContain(READY);
});

test('Ctrl-C stops the turn first', async () => {
  await using terminal = await openTerminal({ model: [says(LONG)], tokensPerSecond: 40 });
  await terminal.until(READY);
  await terminal.send('Go');
  await terminal.until('word3');
  terminal.press('ctrl-c');
  await terminal.until('Request cancelled.');
  terminal.press('ctrl-c');
  expect(await terminal.exited()).toMatchObject({ exitCode: 0 });
});

test('Ctrl-D on empty input exits and explains how to resume', async () => {
  await using terminal = await openTerminal({ model: [says('Hello')] });
  await terminal.until(READY);
  await terminal.send('Hi');
  await terminal.until((shown) => shown.includes('Hello') && shown.includes(READY));
  terminal.press('ctrl-d');
  expect(await terminal.exited()).toMatchObject({ exitCode: 0 });
  expect(terminal.screen).toMatch(/qwen --resume [0-9a-f-]{36}/);
});

test('/quit exits', async () => {
  await using terminal = await openTerminal();
  await terminal.until(READY);
  await terminal.send('/quit');
  expect(await terminal.exited()).toMatchObject({ exitCode: 0 });
});

test.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
])('%s during a turn ends the program with its exit code and restores the terminal', async (signal, exitCode) => {
  await using terminal = await openTerminal({ model: [says(LONG)], tokensPerSecond: 40 });
  await terminal.until(READY);
  await terminal.send('Go');
  await terminal.until('word3');
  terminal.kill(signal);
  expect(await terminal.exited()).toMatchObject({ exitCode });
  expect(terminal.marksPastes).toBe(false);
  expect(terminal.written.lastIndexOf('\u001b[?25h')).toBeGreaterThan(terminal.written.lastIndexOf('\u001b[?25l'));
});

test('SIGTERM during a tool call ends its processes and keeps the conversation', async () => {
  verifies('F56');
  const command = 'echo $$ > pid.txt; trap "" TERM HUP; while :; do sleep 0.1; done';
  await using terminal = await openTerminal({
    model: [calls({ name: 'run_shell_command', input: { command } }), says('Never said')],
    args: ['--allowed-tools', 'Bash'],
  });
  await terminal.until(READY);
  await terminal.send('Remember the owl');
  const readPid = async (): Promise<number> =>
    Number(await readFile(terminal.workspace.resolve('project/pid.txt'), 'utf8').catch(() => ''));
  await expect.poll(readPid, { timeout: 10_000 }).toBeGreaterThan(0);
  const pid = await readPid();
  expect(processGone(pid)).toBe(false);
  terminal.kill('SIGTERM');
  expect(await terminal.exited()).toMatchObject({ exitCode: 143 });
  await waitUntilGone(pid);
  const home = terminal.workspace.resolve('home/.qwen/sessions');
  const logs = globSync('**/*.jsonl', { cwd: home }).map((path) => readFileSync(join(home, path), 'utf8'));
  expect(logs.join('')).toContain('Remember the owl');
});
