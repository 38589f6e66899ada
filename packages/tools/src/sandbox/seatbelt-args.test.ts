import { chmod, symlink } from 'node:fs/promises';
import { type TemporaryFolder, temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { createSeatbelt } from '../../test/seatbelt-judge.js';
import { runCommand } from '../shell/run-command.js';
import { viewOf } from './mounts.js';
import type { SandboxPolicy } from './policy.js';
import { probeSandbox } from './probe.js';
import { openSandbox } from './sandbox.js';
import { seatbeltArgs } from './seatbelt-args.js';

async function createProject(folder: TemporaryFolder): Promise<SandboxPolicy> {
  await folder.write('home/.ssh/id_ed25519', 'key');
  await folder.write('home/.qwen/skills/one/SKILL.md', 'skill');
  await folder.write('home/.qwen/settings.json', '{}');
  await folder.write('home/app/.git/config', '');
  await folder.write('home/app/.git/hooks/pre-commit', '');
  await folder.write('home/app/.git/HEAD', '');
  await folder.write('home/app/src/main.ts', '');
  await folder.write('home/app/private/data', '');
  await folder.write('home/elsewhere/settings.json', '{}');
  await symlink(folder.resolve('home/elsewhere'), folder.resolve('home/app/.vscode'));
  return {
    mode: 'workspace-write',
    roots: [folder.resolve('home/app')],
    homeDirectory: folder.resolve('home'),
    dataDir: folder.resolve('home/.qwen'),
    allowWrite: [],
    denyWrite: [],
    denyRead: [folder.resolve('home/app/private')],
    allowRead: [],
    allowUnixSockets: [],
    limits: { processes: 512, memoryMiB: 4096 },
  };
}

async function argsFor(folder: TemporaryFolder, change: Partial<SandboxPolicy> = {}, proxyPort?: number) {
  const policy = { ...(await createProject(folder)), ...change };
  const temporary = '/private/tmp/qwen-sandbox/tmp';
  return seatbeltArgs({ view: viewOf(policy, []), temporary, sockets: [temporary, ...policy.roots], proxyPort });
}

test('the profile stays as reviewed', async () => {
  const app = '/Users/ada/app';
  const folder = { isFolder: true } as const;
  const args = seatbeltArgs({
    view: {
      mounts: [
        { kind: 'write', path: app, ...folder },
        { kind: 'write', path: `${app}/.git`, ...folder },
        { kind: 'read', path: `${app}/.git/hooks`, ...folder },
        { kind: 'hide', path: '/Users/ada/.ssh', ...folder },
        { kind: 'hide', path: '/Users/ada/.qwen', exposed: ['/Users/ada/.qwen/skills'], ...folder },
      ],
      watched: [
        { path: `${app}/.mcp.json`, target: undefined },
        { path: `${app}/.vscode`, target: '../shared' },
      ],
      repositories: [`${app}/.git`],
    },
    temporary: '/private/tmp/qwen-sandbox/tmp',
    sockets: [app],
    proxyPort: 50123,
  });
  await expect(`${args.join('\n')}\n`).toMatchFileSnapshot('golden/seatbelt.txt');
});

test('by the rules of seatbelt, commands write only where the policy allows it', async () => {
  await using folder = await temporaryFolder();
  const judge = createSeatbelt(await argsFor(folder));
  const at = (path: string) => folder.resolve('home', path);
  const cases: [operation: string, path: string, isAllowed: boolean][] = [
    ['file-write-create', at('app/src/new.ts'), true],
    ['file-write-data', at('app/.git/HEAD'), true],
    ['file-write-create', '/private/tmp/qwen-sandbox/tmp/x', true],
    ['file-write-data', '/dev/null', true],
    ['file-read-data', '/usr/bin/git', true],
    ['file-write-create', '/private/tmp/x', false],
    ['file-write-create', at('x'), false],
    ['file-write-create', at('application/x'), false],
    ['file-write-data', at('app/.git/config'), false],
    ['file-write-create', at('app/.git/hooks/post-checkout'), false],
    ['file-write-unlink', at('app/.git/hooks'), false],
    ['file-write-unlink', at('app/.git'), false],
    ['file-write-unlink', at('app'), false],
    ['file-write-create', at('app/.mcp.json'), false],
    ['file-write-create', at('app/.MCP.json'), false],
    ['file-write-create', at('app/.Claude/settings.json'), false],
    ['file-write-create', at('app/.mcp.json.bak'), true],
    ['file-write-unlink', at('app/.vscode'), false],
    ['file-write-data', at('elsewhere/settings.json'), false],
    ['file-read-data', at('app/private/data'), false],
    ['file-read-data', at('.ssh/id_ed25519'), false],
    ['file-read-metadata', at('.qwen/settings.json'), false],
    ['file-read-data', at('.qwen/skills/one/SKILL.md'), true],
    ['file-write-data', at('.qwen/skills/one/SKILL.md'), false],
    ['network-outbound', '/private/var/run/mDNSResponder', false],
    ['network-outbound', at('app/test.sock'), true],
  ];
  const judged = cases.map(([operation, path]) => [operation, path, judge(operation, path)]);
  expect(judged).toEqual(cases);
});

test('a profile of read-only allows no writing in the workspace', async () => {
  await using folder = await temporaryFolder();
  const judge = createSeatbelt(await argsFor(folder, { mode: 'read-only' }));
  expect(judge('file-write-create', folder.resolve('home/app/new'))).toBe(false);
  expect(judge('file-write-create', '/private/tmp/qwen-sandbox/tmp/new')).toBe(true);
});

test('paths with quotes and patterns cannot change the profile', async () => {
  await using folder = await temporaryFolder();
  await folder.write('a") (allow default) (b/.git/config', '');
  await folder.write('c.*[/x', '');
  const roots = [folder.resolve('a") (allow default) (b'), folder.resolve('c.*[')];
  const judge = createSeatbelt(await argsFor(folder, { roots }));
  expect(judge('file-write-create', folder.resolve('other'))).toBe(false);
  for (const root of roots) {
    expect(judge('file-write-create', `${root}/x`)).toBe(true);
    expect(judge('file-write-create', `${root}/.mcp.json`)).toBe(false);
  }
});

test.runIf(process.platform !== 'win32')(
  'a command starts through sandbox-exec with its own temporary folder',
  async () => {
    await using folder = await temporaryFolder();
    // Prints its arguments before the program, which it runs.
    const script = `#!/bin/sh\nwhile [ "$1" != -- ]; do printf '%s\\n' "$1" >>'${folder.resolve('args')}'; shift; done\nshift; exec "$@"\n`;
    const program = await folder.write('sandbox-exec', script);
    await chmod(program, 0o755);
    const support = await probeSandbox({ project: folder.path, platform: 'darwin', sandboxExec: program });
    expect(support).toEqual({ kind: 'seatbelt', program });
    const network = { allowed: ['example.com'], denied: [] };
    using sandbox = await openSandbox({ policy: { ...(await createProject(folder)), network }, support });
    const { output, exitCode } = await runCommand({
      command: `echo "$TMPDIR $http_proxy"; pwd; exit 3`,
      folder: folder.resolve('home/app'),
      environment: { PATH: '/usr/bin:/bin', SSH_AUTH_SOCK: '/s' },
      sandbox,
      timeoutMs: 20_000,
      maxOutputBytes: 1000,
      signal: new AbortController().signal,
      emit: () => undefined,
    });
    const [, temporary, port, cwd] = /^(\S+) http:\/\/127\.0\.0\.1:(\d+)\n(.*)$/m.exec(output) ?? [];
    expect({ cwd, exitCode }).toEqual({ cwd: folder.resolve('home/app'), exitCode: 3 });
    const args = await folder.read('args');
    expect(args).toContain(`(allow network-outbound (remote ip "localhost:${port}"))`);
    expect(args).toContain(`=${temporary}\n`);
  },
);

test('without a working sandbox-exec, macOS has no sandbox', async () => {
  await using folder = await temporaryFolder();
  const program = await folder.write(
    'fails',
    '#!/bin/sh\necho "sandbox_apply: Operation not permitted" >&2\nexit 71\n',
  );
  await chmod(program, 0o755);
  for (const sandboxExec of [program, folder.resolve('missing')]) {
    const support = await probeSandbox({ project: folder.path, platform: 'darwin', sandboxExec });
    expect(support).toMatchObject({ kind: 'none', advice: expect.stringContaining('--sandbox off') });
  }
});
