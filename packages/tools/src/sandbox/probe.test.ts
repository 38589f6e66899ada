import { chmod, mkdir } from 'node:fs/promises';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { probeSandbox } from './probe.js';

/** A program bwrap that prints this and fails, except for its version. */
async function probeWith(script: string) {
  await using folder = await temporaryFolder();
  const program = await folder.write('bin/bwrap', `#!/bin/sh\n${script}\n`);
  await chmod(program, 0o755);
  await mkdir(folder.resolve('project'));
  return await probeSandbox({
    project: folder.resolve('project'),
    searchPath: folder.resolve('bin'),
    platform: 'linux',
  });
}

const failing = (text: string) =>
  `[ "$1" = --version ] && { echo bubblewrap 0.9.0; exit 0; }\necho "${text}" >&2\nexit 1`;

test.runIf(process.platform !== 'win32')('each known failure of bubblewrap has advice', async () => {
  verifies('S116');
  const cases = [
    ['bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted', 'apparmor_parser'],
    ['bwrap: setting up uid map: Permission denied', 'apparmor_parser'],
    ["bwrap: Can't mount proc on /newroot/proc: Operation not permitted", 'systempaths=unconfined'],
  ] as const;
  for (const [text, advice] of cases) {
    const support = await probeWith(failing(text));
    expect(support).toMatchObject({
      kind: 'none',
      reason: expect.stringContaining(text),
    });
    expect(support).toMatchObject({ advice: expect.stringContaining(advice) });
  }
});

test.runIf(process.platform !== 'win32')('a missing, old or hanging program disables the sandbox', async () => {
  verifies('S116');
  await using folder = await temporaryFolder();
  const missing = await probeSandbox({ project: folder.path, searchPath: folder.path, platform: 'linux' });
  expect(missing).toMatchObject({ kind: 'none', advice: expect.stringContaining('apt install bubblewrap') });
  const old = await probeWith('echo bubblewrap 0.4.1');
  expect(old).toMatchObject({ kind: 'none', reason: expect.stringContaining('too old') });
});

test('bwrap of the project is never run', async () => {
  await using folder = await temporaryFolder();
  await chmod(await folder.write('bin/bwrap', '#!/bin/sh\necho bubblewrap 9.9\n'), 0o755);
  const support = await probeSandbox({ project: folder.path, searchPath: folder.resolve('bin'), platform: 'linux' });
  expect(support).toMatchObject({ kind: 'none', reason: expect.stringContaining('not installed') });
});

test('Windows has no sandbox', async () => {
  const support = await probeSandbox({ project: '/', platform: 'win32' });
  expect(support).toMatchObject({ kind: 'none', advice: expect.stringContaining('WSL 2') });
});
