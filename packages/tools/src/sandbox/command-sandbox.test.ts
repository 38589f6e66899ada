import { resolve } from 'node:path';
import { hasPrograms, temporaryFolder, verifies, waitUntilGone } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { runTool } from '../../test/run-tool.js';
import { shellTool } from '../shell/shell-tool.js';
import { CommandSandbox, type CommandSandboxOptions, openCommandSandbox } from './command-sandbox.js';
import { openSandbox } from './sandbox.js';

const canRun = process.platform === 'linux' && hasPrograms('bwrap');

function optionsFor(root: string, changes: Partial<CommandSandboxOptions> = {}): CommandSandboxOptions {
  return {
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
    autoAllows: true,
    mayLeave: true,
    excludedCommands: [],
    ...changes,
  };
}

const environment = { PATH: process.env['PATH'], HOME: '/nowhere' };

test.runIf(canRun)('a command runs inside, and the model reads what was prevented', async () => {
  verifies('S119');
  await using folder = await temporaryFolder();
  const sandbox = await openCommandSandbox(optionsFor(folder.path));
  const shell = shellTool({ environment, keepEnvironment: [], sandbox });
  const inside = { command: 'echo a > file; echo x > /etc/qwen-test' };
  expect(shell.confinement?.(shell.parse(inside))).toEqual({ place: 'inside' });
  const { content, isError } = await runTool(shell, inside, { cwd: folder.path });
  expect(isError).toBe(true);
  expect(content).toContain('[in the sandbox, /etc/qwen-test: Read-only file system. With "outside_sandbox": true');
  expect(await folder.read('file')).toBe('a\n');
  const again = shell.parse({ ...inside, outside_sandbox: true });
  expect(shell.confinement?.(again)).toEqual({
    place: 'outside',
    why: 'Inside, /etc/qwen-test: Read-only file system.',
  });
  const made = await runTool(shell, { command: 'touch .mcp.json' }, { cwd: folder.path });
  expect(made.content).toContain('.mcp.json is protected and was renamed to');
  const offline = await runTool(
    shell,
    { command: 'getent hosts x.test || { echo could not resolve; false; }' },
    { cwd: folder.path },
  );
  expect(offline.content).toContain('there is no direct network');
});

test.runIf(canRun)('if leaving is not allowed, no argument of the model leaves', async () => {
  verifies('S119');
  await using folder = await temporaryFolder();
  const sandbox = await openCommandSandbox(optionsFor(folder.path, { mayLeave: false }));
  const shell = shellTool({ environment, keepEnvironment: [], sandbox });
  const input = { command: 'grep NoNewPrivs /proc/self/status', outside_sandbox: true };
  expect(JSON.stringify(shell.inputSchema)).not.toContain('outside_sandbox');
  expect(shell.confinement?.(shell.parse(input))).toEqual({ place: 'inside' });
  expect((await runTool(shell, input, { cwd: folder.path })).content).toMatch(/NoNewPrivs:\s+1/);
});

test.runIf(canRun)('excludes only a single simple command', async () => {
  verifies('S119');
  const options = optionsFor('/', { excludedCommands: ['docker *', 'make:*', ''] });
  const sandbox = new CommandSandbox(options, undefined, { problem: 'no bubblewrap' });
  const place = (command: string) => sandbox.placeOf({ command });
  expect([place('docker'), place('docker  ps -a'), place('make test')]).toEqual([undefined, undefined, undefined]);
  const outside = { place: 'outside', why: 'no bubblewrap' };
  for (const command of [
    'docker ps; rm x',
    'docker $(rm x)',
    'docker ps\nrm x',
    'dockerx',
    'docker ps | sh',
    'a & b',
  ]) {
    expect(place(command)).toEqual(outside);
  }
});

test.runIf(canRun)('without automatic approval, the rules decide about a command inside', async () => {
  await using folder = await temporaryFolder();
  const sandbox = await openCommandSandbox(optionsFor(folder.path, { autoAllows: false }));
  expect(sandbox.placeOf({ command: 'true' })).toBeUndefined();
  const shell = shellTool({ environment, keepEnvironment: [], sandbox });
  const { content } = await runTool(shell, { command: 'grep NoNewPrivs /proc/self/status' }, { cwd: folder.path });
  expect(content).toMatch(/NoNewPrivs:\s+1/);
});

test.runIf(canRun)('refuses the file system root and a workspace in secrets or in a git folder', async () => {
  await using folder = await temporaryFolder();
  await folder.write('h/.ssh/w/x', '');
  for (const name of ['HEAD', 'objects/x', 'refs/x', 'hooks/x']) await folder.write(`bare/${name}`, '');
  const policyOf = (root: string) => ({ ...optionsFor(root).policy, homeDirectory: folder.resolve('h') });
  for (const [root, problem] of [
    ['/', 'the root of the file system'],
    ['h/.ssh/w', 'which it hides'],
    ['bare', 'it belongs to a git folder'],
    ['bare/hooks', 'it belongs to a git folder'],
  ] as const) {
    const options = { ...optionsFor('/'), policy: policyOf(resolve(folder.path, root)) };
    await expect(openCommandSandbox(options)).rejects.toThrow(problem);
  }
});

test.runIf(canRun)('commands that start after the network has ended share a new one', async () => {
  await using folder = await temporaryFolder();
  const policy = { ...optionsFor(folder.path).policy, network: { allowed: ['example.com'], denied: [] } };
  using sandbox = await openSandbox({ policy });
  const start = { program: 'true', args: [], folder: folder.path, environment: {} };
  const confine = async () => {
    using confined = await sandbox.confine(start);
    return Number(/--net=\/proc\/(\d+)\//.exec(confined.args.join(' '))?.[1]);
  };
  const ended = await confine();
  process.kill(ended, 'SIGKILL');
  await waitUntilGone(ended, { deadlineMs: 5000 });
  const [one, other] = await Promise.all([confine(), confine()]);
  expect(one).toBe(other);
  expect(one).not.toBe(ended);
});
