import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { createServer } from 'node:http';
import { calls, hasPrograms, says, temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { answer, control, openCliFixture, prompt, QUESTION, RESULT } from './cli-fixture.js';

const canRun = process.platform === 'linux' && hasPrograms('bwrap');
const shell = (command: string, more = {}) => calls({ name: 'run_shell_command', input: { command, ...more } });

test.runIf(canRun)('commands run in the sandbox without asking, and leaving it asks, even in yolo', async () => {
  verifies('S119');
  const command = 'grep NoNewPrivs /proc/self/status; echo made > file; echo x > /etc/qwen-test';
  await using fixture = await openCliFixture([shell(command), shell(command, { outside_sandbox: true }), says('done')]);
  const agent = await fixture.startMachine(['--sandbox', 'workspace-write', '--approval-mode', 'yolo']);
  agent.send(prompt('go'));
  const { request } = await agent.next(QUESTION);
  expect(request).toMatchObject({ tool_name: 'run_shell_command', input: { outside_sandbox: true } });
  expect(JSON.stringify(request)).toContain('outside the sandbox');
  expect(await fixture.workspace.read('file')).toBe('made\n');
  const seen = JSON.stringify(fixture.model.requests.at(-1));
  expect(seen).toMatch(/NoNewPrivs:\\*t1/);
  expect(seen).toContain('Read-only file system');
  expect(existsSync('/etc/qwen-test')).toBe(false);
});

test.runIf(canRun)('without a user to ask, nothing leaves the sandbox', async () => {
  verifies('S119');
  await using fixture = await openCliFixture([shell('echo x > ../escaped', { outside_sandbox: true }), says('done')]);
  const program = await fixture.start([
    '--sandbox',
    'workspace-write',
    '--yolo',
    '-o',
    'stream-json',
    '--dialect',
    'sdk',
    'go',
  ]);
  program.endInput();
  expect(await program.next(RESULT)).toMatchObject({ permission_denials: [{ tool_name: 'run_shell_command' }] });
  await expect(fixture.workspace.read('../escaped')).rejects.toThrow(/ENOENT/);
});

test.runIf(canRun && hasPrograms('curl'))(
  'a new host is a question, whose approval lasts for the session',
  async () => {
    verifies('S114');
    await using site = await openSite();
    const command = `curl -sS -m 20 http://127.0.0.2:${site.port}/`;
    await using fixture = await openCliFixture([shell(command), shell(command), shell(`${command}x`), says('done')]);
    const agent = await fixture.startMachine(['--sandbox', 'workspace-write']);
    agent.send(control('c1', { subtype: 'initialize', canUseTool: true }));
    agent.send(prompt('go'));
    const { request, request_id } = await agent.next(QUESTION);
    expect(request).toMatchObject({ tool_name: 'run_shell_command', input: { command, host: '127.0.0.2' } });
    agent.send(answer(request_id, { behavior: 'allow' }));
    await agent.next(RESULT);
    expect(site.paths).toEqual(['/', '/', '/x']);
  },
);

async function openSite() {
  const paths: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url);
    response.end('fine');
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  const { port } = server.address() as { port: number };
  return { port, paths, [Symbol.asyncDispose]: async () => void server.close() };
}

const BROKEN = `#!/bin/sh
[ "$1" = --version ] && { echo bubblewrap 0.9.0; exit 0; }
echo 'bwrap: setting up uid map: Permission denied' >&2
exit 1
`;

test.runIf(process.platform === 'linux')('a requested sandbox that does not work prevents the start', async () => {
  verifies('S116');
  await using fixture = await openCliFixture([shell('touch made'), says('done')]);
  await using folder = await temporaryFolder();
  await chmod(await folder.write('bwrap', BROKEN), 0o755);
  const env = { ...fixture.env, PATH: `${folder.path}:${process.env['PATH']}` };
  const started = await fixture.start(['--sandbox', 'workspace-write', '--yolo', 'go'], { env });
  started.endInput();
  expect(await started.exited).toMatchObject({ code: 2 });
  expect(started.stderr + JSON.stringify(started.lines)).toContain('apparmor_parser');
  expect(fixture.model.requests).toEqual([]);
  expect(existsSync(fixture.workspace.resolve('home/.qwen/sessions'))).toBe(false);
});

test.runIf(process.platform === 'linux')(
  'the init message states that the sandbox of the settings does not work',
  async () => {
    verifies('S116');
    await using fixture = await openCliFixture([says('done')]);
    await using folder = await temporaryFolder();
    await chmod(await folder.write('bwrap', BROKEN), 0o755);
    await fixture.workspace.write('home/.qwen/settings.json', JSON.stringify({ sandbox: { enabled: true } }));
    const agent = await fixture.startMachine([], {
      env: { ...fixture.env, PATH: `${folder.path}:${process.env['PATH']}` },
    });
    agent.send(prompt('go'));
    expect(await agent.next({ type: 'system', subtype: 'init' })).toMatchObject({ sandbox: 'unavailable' });
  },
);
