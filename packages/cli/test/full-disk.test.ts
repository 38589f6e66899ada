import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { calls, lastText, says, startLineProcess, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { BIN, openCliFixture, prompt, RESULT, SDK_FLAGS } from './cli-fixture.js';

const ID = '0f9d2c52-3c0a-4f1e-9d59-0d8a3c9a1b11';

test('without temporary files, a long output is still a result', async () => {
  verifies('F153');
  await using fixture = await openCliFixture([
    calls({ name: 'run_shell_command', input: { command: 'seq 1 200000; echo end of output' } }),
    (request) => says(lastText(request).slice(-40)),
  ]);
  // A folder inside of a file cannot be made by anyone, root included.
  const file = await fixture.workspace.write('no-folder', '');
  const agent = await fixture.startMachine(['--yolo'], { env: { ...fixture.env, TMPDIR: `${file}/tmp` } });
  agent.send(prompt('count'));
  expect(await agent.next(RESULT)).toMatchObject({
    subtype: 'success',
    result: expect.stringContaining('end of output'),
  });
});

/** Runs the program in a mount namespace whose sessions folder has hardly a free inode. */
const FEW_INODES = 'mount -t tmpfs -o nr_inodes="$1" none "$2" && shift 2 && exec "$@"';
const hasNamespaces = spawnSync('unshare', ['-Urm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

test('a session on a full disk ends each turn with a typed error, and the program still answers', async () => {
  verifies('F147');
  await using fixture = await openCliFixture([says('never asked')]);
  const home = fixture.workspace.resolve('home/.qwen');
  await fixture.workspace.write('home/.qwen/keep', '');
  if (!hasNamespaces) await fixture.workspace.write('home/.qwen/sessions', 'A file where a folder would have to be.');
  const program = [process.execPath, BIN, ...SDK_FLAGS, '--session-id', ID];
  const starved = ['-Urm', 'sh', '-c', FEW_INODES, 'sh', '2', home, ...program];
  const [command = '', ...args] = hasNamespaces ? ['unshare', ...starved] : program;
  await using agent = await startLineProcess({
    command,
    args,
    env: { ...fixture.env, PATH: process.env['PATH'] ?? '' },
    cwd: fixture.workspace.path,
  });
  const code = hasNamespaces ? 'storage_full' : 'storage_unwritable';
  for (const words of ['one', 'two']) {
    agent.send(prompt(words));
    expect(await agent.next(RESULT)).toMatchObject({ is_error: true, error: { code } });
  }
  expect(fixture.model.requests).toEqual([]);
  agent.endInput();
  expect(await agent.exited).toMatchObject({ code: 0 });
});

test('a secret that a tool read is in a file that only the user can read, whatever the umask', async () => {
  verifies('S113');
  await using fixture = await openCliFixture([
    calls({ name: 'run_shell_command', input: { command: 'cat .env' } }),
    says('read'),
  ]);
  await fixture.workspace.write('.env', 'API_KEY=canary-secret\n');
  const file = fixture.workspace.resolve(`home/.qwen/sessions/${ID}.jsonl`);
  await using agent = await startLineProcess({
    command: 'sh',
    args: ['-c', 'umask 000; exec "$@"', 'sh', process.execPath, BIN, ...SDK_FLAGS, '--yolo', '--session-id', ID],
    env: fixture.env,
    cwd: fixture.workspace.path,
  });
  agent.send(prompt('read it'));
  expect(await agent.next(RESULT)).toMatchObject({ result: 'read' });
  expect(await fixture.workspace.read(`home/.qwen/sessions/${ID}.jsonl`)).toContain('canary-secret');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(fixture.workspace.resolve('home/.qwen/sessions')).mode & 0o777).toBe(0o700);
  agent.endInput();
  await agent.exited;
});
