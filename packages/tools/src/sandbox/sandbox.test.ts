import { chmod } from 'node:fs/promises';
import { hasPrograms, temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { runCommand } from '../shell/run-command.js';
import { probeSandbox } from './probe.js';
import { openSandbox } from './sandbox.js';

const canRun = process.platform === 'linux' && hasPrograms('bwrap');

/** Runs a command with a bubblewrap that fails this number of times, as if a hidden file had vanished. */
async function runAfter(failures: number) {
  await using folder = await temporaryFolder();
  const support = await probeSandbox({ project: folder.path });
  if (support.kind === 'none') throw new Error(support.reason);
  const count = folder.resolve('count');
  const script = `echo x >>'${count}'\n[ "$(wc -l <'${count}')" -gt ${failures} ] && exec ${support.program} "$@"`;
  const program = await folder.write(
    'bwrap',
    `#!/bin/sh\n${script}\necho "bwrap: Can't create file at /x" >&2\nexit 1\n`,
  );
  await chmod(program, 0o755);
  await folder.write('w/file', 'content');
  const root = folder.resolve('w');
  using sandbox = await openSandbox({
    policy: {
      mode: 'workspace-write',
      roots: [root],
      homeDirectory: '/nowhere',
      dataDir: '/nowhere/.qwen',
      allowWrite: [],
      denyWrite: [],
      denyRead: [],
      allowRead: [],
      allowUnixSockets: [],
      limits: { processes: 512, memoryMiB: 4096 },
    },
    support: { ...support, program },
  });
  return await runCommand({
    command: 'cat file; exit 3',
    folder: root,
    environment: { PATH: '/usr/bin:/bin' },
    sandbox,
    timeoutMs: 20_000,
    maxOutputBytes: 1000,
    signal: new AbortController().signal,
    emit: () => undefined,
  });
}

test.runIf(canRun)('a command starts again if a hidden file vanished before', async () => {
  expect(await runAfter(0)).toMatchObject({ output: 'content', exitCode: 3 });
  expect(await runAfter(2)).toMatchObject({ output: 'content', exitCode: 3, errors: '' });
});

test.runIf(canRun)('a sandbox that never starts is an error, and the command does not run', async () => {
  expect(await runAfter(99)).toMatchObject({ output: '', exitCode: 1, errors: expect.stringContaining('bwrap: Can') });
});
