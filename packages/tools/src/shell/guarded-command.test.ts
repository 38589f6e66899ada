import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { type GuardedCommand, runGuardedCommand } from './guarded-command.js';

async function run(command: string, more: Partial<GuardedCommand> = {}) {
  await using folder = await temporaryFolder();
  return await runGuardedCommand({
    command,
    folder: folder.path,
    environment: { PATH: process.env['PATH'], HOME: folder.path, API_TOKEN: 'secret' },
    variables: { QWEN_PROJECT_DIR: '/project' },
    input: '',
    timeoutMs: 10_000,
    maxOutputBytes: 1024,
    signal: new AbortController().signal,
    ...more,
  });
}

test('reads its input, writes to two streams and returns its exit code', async () => {
  expect(await run('cat; echo "no, $QWEN_PROJECT_DIR" >&2; exit 2', { input: 'hello\n' })).toMatchObject({
    output: 'hello\n',
    errors: 'no, /project\n',
    isCut: false,
    exitCode: 2,
    endedBy: 'itself',
  });
});

test('unread input is not an error', async () => {
  expect(await run('exit 0', { input: 'x'.repeat(4 * 1024 * 1024) })).toMatchObject({ exitCode: 0, output: '' });
});

test('secrets are not passed on', async () => {
  verifies('S108');
  expect(await run('echo "[$API_TOKEN]"')).toMatchObject({ output: '[]\n' });
});

test('a flood of output is truncated with a note', async () => {
  verifies('S89');
  const { output, isCut } = await run('head -c 20000000 /dev/zero | tr "\\0" x');
  expect(isCut).toBe(true);
  expect(output.length).toBeLessThan(2048);
});

test('its deadline and its signal end it', async () => {
  expect(await run('sleep 1000', { timeoutMs: 20 })).toMatchObject({ endedBy: 'timeout' });
  const abort = new AbortController();
  abort.abort();
  expect(await run('sleep 1000', { signal: abort.signal })).toMatchObject({ endedBy: 'abort' });
});
