import { execFileSync } from 'node:child_process';
import { chmod, symlink } from 'node:fs/promises';
import { calls, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { answer, openCliFixture, prompt, QUESTION, RESULT } from './cli-fixture.js';

const shell = (command: string) => calls({ name: 'run_shell_command', input: { command } });

/** The commands that a result names as denied. */
const deniedBy = (result: Readonly<Record<string, unknown>>) =>
  (result['permission_denials'] as { tool_input: { command: string } }[]).map(({ tool_input }) => tool_input.command);

const ATTACKS = [
  "for PS4 in '$(touch pwned)'; do set -o xtrace; ls; done",
  "set -o keyword\ngit diff GIT_EXTERNAL_DIFF='touch pwned'",
  'for PATH in ./bin; do ls; done',
  'command cd docs/x; git status',
  'git diff -U ../outside/secret a.txt',
  'tree -Io x pwned',
];

test('default mode asks about each attack', async () => {
  verifies('S1', 'S8');
  await using fixture = await openCliFixture([...ATTACKS.map(shell), says('done')]);
  const agent = await fixture.startMachine();
  agent.send(prompt('look around'));
  for (const command of ATTACKS) {
    const { request_id, request } = await agent.next(QUESTION);
    expect(request).toMatchObject({ input: { command } });
    agent.send(answer(request_id, { behavior: 'deny', message: 'No.' }));
  }
  expect(deniedBy(await agent.next(RESULT))).toEqual(ATTACKS);
  await expect(fixture.workspace.read('pwned')).rejects.toThrow(/ENOENT/);
});

test('plan mode denies each attack', async () => {
  verifies('M-47');
  await using fixture = await openCliFixture([...ATTACKS.map(shell), says('done')]);
  const agent = await fixture.startMachine(['--approval-mode', 'plan']);
  agent.send(prompt('look around'));
  expect(deniedBy(await agent.next(RESULT))).toEqual(ATTACKS);
  await expect(fixture.workspace.read('pwned')).rejects.toThrow(/ENOENT/);
});

test.each(['default', 'plan'])('in mode %s, git status and git diff run no program of the repository', async (mode) => {
  verifies('S12', 'S41');
  const commands = ['git status', 'cd sub && git diff', 'git diff'];
  await using fixture = await openCliFixture([...commands.map(shell), says('done')]);
  const { workspace } = fixture;
  await workspace.write('program', '#!/bin/sh\ntouch "$(dirname "$0")/pwned"\n');
  await chmod(workspace.resolve('program'), 0o755);
  for (const folder of ['.', 'sub']) {
    await workspace.write(`${folder}/a.txt`, 'one\n');
    const cwd = workspace.resolve(folder);
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd, stdio: 'ignore' });
    git('init', '-q');
    git('add', 'a.txt');
    await workspace.write(`${folder}/a.txt`, 'two\n');
    git('config', 'core.fsmonitor', workspace.resolve('program'));
    git('config', 'core.pager', workspace.resolve('program'));
  }
  const agent = await fixture.startMachine(['--approval-mode', mode]);
  agent.send(prompt('look around'));
  expect(await agent.next(RESULT)).toMatchObject({ result: 'done', permission_denials: [] });
  expect(JSON.stringify(fixture.model.requests.at(-1))).toContain('+two');
  await expect(workspace.read('pwned')).rejects.toThrow(/ENOENT/);
});

test('no program of the project replaces one that only reads', async () => {
  verifies('S44');
  const commands = ['ls', 'timeout 5 ls', 'time ls', 'nice ls | head -5', 'git status', 'timeout 5 git status'];
  const search = calls({ name: 'grep_search', input: { pattern: 'one' } });
  await using fixture = await openCliFixture([...commands.map(shell), search, says('done')]);
  const { workspace, env } = fixture;
  await workspace.write('a.txt', 'one\n');
  execFileSync('git', ['init', '-q'], { cwd: workspace.path, stdio: 'ignore' });
  for (const name of ['ls', 'head', 'git', 'timeout', 'nice', 'rg', 'bash', 'time']) {
    const file = `node_modules/.bin/${name}`;
    await workspace.write(file, `#!/bin/sh\ntouch '${workspace.resolve('pwned')}'\n`);
    await chmod(workspace.resolve(file), 0o755);
  }
  const searchPath = `node_modules/.bin::${workspace.resolve('node_modules/.bin')}:${process.env['PATH']}`;
  const agent = await fixture.startMachine([], { env: { ...env, PATH: searchPath } });
  agent.send(prompt('look around'));
  expect(await agent.next(RESULT)).toMatchObject({ result: 'done', permission_denials: [] });
  const results = fixture.model.requests.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? [];
  expect(results).toHaveLength(commands.length + 1);
  for (const result of results) expect(JSON.stringify(result)).toContain('a.txt');
  await expect(workspace.read('pwned')).rejects.toThrow(/ENOENT/);
});

test('in mode yolo, deny rules and secrets hold', async () => {
  verifies('S17', 'S33', 'S43');
  const commands = [
    'base64 link-env',
    'base64 .e*',
    "env -S'cat .env'",
    'tar cf - . | tar xOf - ./.env',
    'git diff --no-index a.txt .env',
    'find . -name ".e*" | xargs cat',
    'python3 -c \'print(open(".e"+"nv").read())\'',
    'sed "r.env" a.txt',
    'sort -osrc/new a.txt',
    'cd lib/up/src && touch new',
    'ln -s . y; echo x > y/src/new',
    "env -S'rm victim'",
    "script -qc'r\\m victim' /dev/null",
    'cat /proc/[0-9]*/environ',
    'base64 home/.qwen/server/tok[e]n',
  ];
  await using fixture = await openCliFixture([...commands.map(shell), says('done')]);
  const { workspace, env } = fixture;
  await workspace.write('.env', 'CANARY-ENV\n');
  await workspace.write('a.txt', 'one\n');
  await workspace.write('victim', 'one\n');
  await workspace.write('src/keep', 'one\n');
  await workspace.write('lib/b.txt', 'one\n');
  await workspace.write('home/.qwen/server/token', 'CANARY-TOKEN\n');
  await symlink('.env', workspace.resolve('link-env'));
  await symlink('..', workspace.resolve('lib/up'));
  const denied = ['Read(.env)', 'Edit(/src/**)', 'Bash(rm *)'].flatMap((rule) => ['--exclude-tools', rule]);
  const agent = await fixture.startMachine(['--approval-mode', 'yolo', ...denied], {
    env: { ...env, QWEN_HOME: workspace.resolve('home/.qwen'), MARKED_VALUE: 'CANARY-PROCESS' },
  });
  agent.send(prompt('go'));
  const next = () => agent.next(({ type }) => type === 'control_request' || type === 'result');
  let line = await next();
  while (line['type'] === 'control_request') {
    agent.send(answer(line['request_id'], { behavior: 'deny', message: 'No.' }));
    line = await next();
  }
  expect(deniedBy(line)).toEqual(commands);
  expect(JSON.stringify(fixture.model.requests)).not.toMatch(/CANARY|Q0FOQVJZ/);
  expect(await workspace.read('victim')).toBe('one\n');
  await expect(workspace.read('src/new')).rejects.toThrow(/ENOENT/);
});
