import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { constants } from 'node:os';
import { hasPrograms, temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { BIN, openCliFixture } from './cli-fixture.js';

const canRun = process.platform === 'linux' && hasPrograms('bwrap');

async function run(args: readonly string[], settings: object = {}) {
  await using fixture = await openCliFixture();
  await fixture.workspace.write('home/.qwen/settings.json', JSON.stringify(settings));
  await fixture.workspace.write('.vscode/tasks.json', '{}');
  const program = await fixture.start(['sandbox', ...args]);
  program.endInput();
  const { code } = await program.exited;
  const text = program.lines.map((line) => line.text).join('\n');
  return { code, text, stderr: program.stderr, root: fixture.workspace.path };
}

test.runIf(canRun)('a program runs in the sandbox, with its exit code', async () => {
  verifies('S117');
  const script =
    'grep NoNewPrivs /proc/self/status; echo x > .vscode/tasks.json; touch .mcp.json; echo x > /etc/q; exit 7';
  const { code, text, stderr } = await run(['run', '--', 'sh', '-c', script]);
  expect(code).toBe(7);
  expect(text).toMatch(/NoNewPrivs:\s+1/);
  expect(stderr).toContain('/etc/q: Read-only file system');
  expect(stderr).toContain('tasks.json: Read-only file system');
  expect(stderr).toContain('.mcp.json is protected and was renamed');
});

test.runIf(canRun)('the policy is printed with its paths and hosts', async () => {
  const sandbox = { enabled: true, mode: 'read-only', network: { allowedDomains: ['example.com'] } };
  const { code, text, root } = await run(['explain', '--json'], { sandbox });
  expect(code).toBe(0);
  const policy: unknown = JSON.parse(text);
  expect(policy).toMatchObject({
    enabled: true,
    mode: 'read-only',
    writable: [],
    hosts: { allowed: ['example.com'] },
    hidden: expect.arrayContaining(['/run']),
  });
  const other = await run(['explain', '--mode', 'workspace-write'], { sandbox });
  expect(other.text).toContain('sandbox: workspace-write');
  expect(other.text).toContain(`${other.root}/.vscode`);
  expect(other.text).not.toContain(root);
});

test.runIf(canRun)('the mode is that of the settings, even if they leave the sandbox off', async () => {
  const { text } = await run(['explain'], { sandbox: { mode: 'read-only' } });
  expect(text).toContain('sandbox: read-only (off in scripts unless');
});

test.runIf(canRun).for(['SIGTERM', 'SIGHUP'] as const)(
  '%s ends the program and removes what it must not create',
  async (name) => {
    await using fixture = await openCliFixture();
    const script = `echo x > .mcp.json; echo '{ "is": "ready" }'; sleep 100`;
    const program = await fixture.start(['sandbox', 'run', '--', 'sh', '-c', script]);
    await program.next(() => true);
    process.kill(program.pid, name);
    const { code } = await program.exited;
    expect(code).toBe(128 + constants.signals[name]);
    expect(existsSync(fixture.workspace.resolve('.mcp.json'))).toBe(false);
  },
);

test.runIf(canRun)('a kill of qwen ends the program and removes what it must not create', async () => {
  await using fixture = await openCliFixture();
  await using outside = await temporaryFolder();
  const name = '.mcp.json.removed-by-sandbox';
  const script = `ln -s ${outside.path} ${name}; echo x > .mcp.json; echo '{ "is": "ready" }'; sleep 100`;
  const program = await fixture.start(['sandbox', 'run', '--', 'sh', '-c', script]);
  await program.next(() => true);
  process.kill(program.pid, 'SIGKILL');
  await program.exited;
  await expect.poll(() => existsSync(fixture.workspace.resolve('.mcp.json')), { timeout: 10_000 }).toBe(false);
  expect(readdirSync(outside.path)).toEqual([]);
});

test.runIf(canRun)('a file for the input can be read only', async () => {
  await using fixture = await openCliFixture();
  await using outside = await temporaryFolder();
  const file = await outside.write('file', 'kept');
  const script = 'cat; echo x > /proc/self/fd/0; ls /proc/self/fd/0/';
  const shell = [process.execPath, BIN, 'sandbox', 'run', '--', 'sh', '-c', script];
  const options = { cwd: fixture.workspace.path, env: fixture.env, encoding: 'utf8' as const };
  for (const [input, read] of [
    [file, 'kept'],
    [outside.path, ''],
  ] as const) {
    const { stdout } = spawnSync('sh', ['-c', 'exec "$@" < "$0"', input, ...shell], options);
    expect(stdout).toBe(read);
  }
  expect(await outside.read('file')).toBe('kept');
});

test.runIf(canRun)('a folder that the caller left open is not a way out', async () => {
  await using fixture = await openCliFixture();
  await using outside = await temporaryFolder();
  const script = 'for fd in /proc/self/fd/*; do echo x > "$fd/made"; done; ls /proc/self/fd';
  const command = [process.execPath, BIN, 'sandbox', 'run', '--', 'sh', '-c', script];
  // Of these, Node.js itself closes the first.
  const opens = 'exec 9< "$0" 40< "$0" 200< "$0"; exec "$@"';
  const { stdout } = spawnSync('bash', ['-c', opens, outside.path, ...command], {
    cwd: fixture.workspace.path,
    env: fixture.env,
    encoding: 'utf8',
  });
  expect(stdout.split('\n')).toEqual(expect.arrayContaining(['0', '1', '2']));
  expect(stdout).not.toMatch(/^(?:9|40|200)$/m);
  expect(readdirSync(outside.path)).toEqual([]);
});

test('a program is required', async () => {
  expect(await run(['run', 'ls'])).toMatchObject({ code: 2, stderr: expect.stringContaining('after --') });
});
