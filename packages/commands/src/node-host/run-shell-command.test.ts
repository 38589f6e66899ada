import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { runShellCommand } from './run-shell-command.js';

const environment = { PATH: process.env.PATH, OPENAI_API_KEY: 'secret', PLAIN: 'yes' };

test('runs in the folder without secrets and returns both streams', async () => {
  verifies('S53');
  await using folder = await temporaryFolder();
  const { signal } = new AbortController();
  const command = 'pwd; echo "$PLAIN[$OPENAI_API_KEY]"; echo no >&2';
  expect(await runShellCommand({ command, folder: folder.path, environment, signal })).toEqual({
    output: `${folder.path}\nyes[]\nno`,
  });
});

test('failures and timeouts are reported', async () => {
  await using folder = await temporaryFolder();
  const { signal } = new AbortController();
  const options = { folder: folder.path, environment, signal };
  expect(await runShellCommand({ ...options, command: 'echo half; exit 3' })).toEqual({
    output: 'half',
    failure: 'exit code 3',
  });
  expect(await runShellCommand({ ...options, command: 'sleep 60', timeoutMs: 50 })).toEqual({
    output: '',
    failure: 'timed out after 50 ms and was stopped',
  });
});

test('long output is truncated', async () => {
  await using folder = await temporaryFolder();
  const { signal } = new AbortController();
  const { output } = await runShellCommand({
    command: 'head -c 200000 /dev/zero | tr "\\0" x',
    folder: folder.path,
    environment,
    signal,
  });
  expect(output.length).toBeLessThan(40_000);
  expect(output).toMatch(/\[output truncated\]$/);
});

test('the signal ends it', async () => {
  await using folder = await temporaryFolder();
  const abort = new AbortController();
  const running = runShellCommand({ command: 'sleep 60', folder: folder.path, environment, signal: abort.signal });
  abort.abort(new Error('enough'));
  await expect(running).rejects.toThrow('enough');
  await expect(
    runShellCommand({ command: 'true', folder: folder.path, environment, signal: abort.signal }),
  ).rejects.toThrow('enough');
});
