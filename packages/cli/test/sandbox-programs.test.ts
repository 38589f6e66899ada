import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { calls, hasPrograms, lastText, type ScriptedReply, says, temporaryFolder } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { type CliFixture, openCliFixture, prompt, RESULT } from './cli-fixture.js';

const canRun = process.platform === 'linux' && hasPrograms('bwrap');
const SANDBOXED = ['--sandbox', 'workspace-write'];
const CONFINED = 'grep -s NoNewPrivs /proc/self/status';
const userSettings = (fixture: CliFixture, settings: object) =>
  fixture.workspace.write('home/.qwen/settings.json', JSON.stringify(settings));
const hooks = (command: string, more: object = {}) => ({
  hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command, ...more }] }] },
});
/** A server in shell: the sandbox hides a Node.js and a repository below /tmp. Its tool returns its process ID. */
const SERVER = String.raw`
reply() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"; }
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case $line in
    *'"initialize"'*) reply '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"mine","version":"1"}}' ;;
    *'"tools/list"'*) reply '{"tools":[{"name":"pid","inputSchema":{"type":"object"}}]}' ;;
    *'"tools/call"'*) reply '{"content":[{"type":"text","text":"'$$'"}]}' ;;
  esac
done`;
const server = (more: object = {}) => ({ command: 'sh', args: ['-c', SERVER], ...more });

const shell = (command: string, more: object = {}) => calls({ name: 'run_shell_command', input: { command, ...more } });

test.runIf(canRun)('commands of subagents and in the background run in the sandbox', async () => {
  const outside = '/etc/qwen-background-test';
  const task = { description: 'look', prompt: 'Look around.', subagent_type: 'general-purpose' };
  await using fixture = await openCliFixture([
    calls({ name: 'task', input: task }),
    shell(`${CONFINED}; touch ${outside}`),
    (request) => says(lastText(request)),
    shell(`touch ${outside}; ${CONFINED} > state`, { is_background: true, description: 'Serve' }),
    says('done'),
  ]);
  const agent = await fixture.startMachine(SANDBOXED);
  agent.send(prompt('go'));
  expect(await agent.next(RESULT)).toMatchObject({ result: 'done', permission_denials: [] });
  expect(JSON.stringify(fixture.model.requests[2])).toMatch(/NoNewPrivs:\\*t1/);
  const state = () => fixture.workspace.read('state').catch(() => '');
  await expect.poll(state, { timeout: 10_000 }).toMatch(/NoNewPrivs:\s1/);
  expect(existsSync(outside)).toBe(false);
});

/** What the model reads, and the notices. */
async function runOnce(fixture: CliFixture, args: readonly string[], text = 'go', env: Record<string, string> = {}) {
  const agent = await fixture.startMachine(args, { env: { ...fixture.env, ...env } });
  agent.send(prompt(text));
  agent.endInput();
  const result = await agent.next(RESULT);
  const output = JSON.stringify(agent.lines.map(({ json }) => json));
  return { result, output, seen: JSON.stringify(fixture.model.requests[0] ?? {}) };
}

describe.runIf(canRun)('programs of the settings run in the sandbox of commands:', () => {
  test('a hook, and a shell command of a custom command', async () => {
    await using fixture = await openCliFixture([says('done')]);
    await userSettings(fixture, hooks(`echo hook; ${CONFINED}`));
    await fixture.workspace.write('home/.qwen/commands/look.toml', `prompt = "State: !{${CONFINED}}"`);
    const { seen } = await runOnce(fixture, SANDBOXED, '/look');
    expect(seen).toMatch(/hook\\+nNoNewPrivs:\\+t1/);
    expect(seen).toMatch(/State: NoNewPrivs:\\*t1/);
  });

  test('a hook of the user leaves by its own setting, a hook of the project does not', async () => {
    await using fixture = await openCliFixture([says('done')]);
    await userSettings(fixture, hooks(`echo user; ${CONFINED}`, { sandbox: false }));
    const ofProject = hooks(`echo project; ${CONFINED}`, { sandbox: false });
    await fixture.workspace.write('.qwen/settings.json', JSON.stringify(ofProject));
    const { seen } = await runOnce(fixture, [...SANDBOXED, '--trust-project']);
    expect(seen).toMatch(/user\\+nNoNewPrivs:\\+t0/);
    expect(seen).toMatch(/project\\+nNoNewPrivs:\\+t1/);
  });

  test('a hook that the sandbox stops names it and the setting', async () => {
    await using fixture = await openCliFixture([says('done')]);
    await userSettings(fixture, hooks('echo x > /etc/qwen-hook-test', { blocking: false }));
    const { output } = await runOnce(fixture, SANDBOXED);
    expect(output).toContain('it ran in the sandbox: /etc/qwen-hook-test: Read-only file system');
    expect(output).toMatch(/\\"sandbox\\": false/);
    expect(existsSync('/etc/qwen-hook-test')).toBe(false);
  });

  test('an MCP server that asks for it, even if commands do not', async () => {
    const asks = (name: string, id: string) => ({ name: `mcp__${name}__pid`, input: {}, id });
    const reads: ScriptedReply = (request) => {
      const results = request.messages.filter(({ role }) => role === 'tool');
      return says(results.map((result) => lastText({ ...request, messages: [result] })).join());
    };
    const pids = async (args: readonly string[], servers: Readonly<Record<string, object>>) => {
      const names = Object.keys(servers);
      await using fixture = await openCliFixture([calls(...names.map((name) => asks(name, `of_${name}`))), reads]);
      await userSettings(fixture, { mcpServers: servers });
      const { result } = await runOnce(fixture, [...args, '--allowed-tools', 'mcp__*']);
      return String(result['result']).split(',').map(Number);
    };
    const required = (more: object) => ({ ...server(more), required: true });
    // The namespace of the sandbox counts from 1.
    const [confined = 0, free = 0] = await pids(SANDBOXED, { mine: required({ sandbox: true }), other: required({}) });
    expect([confined < 10, free < 10]).toEqual([true, false]);
    const [alone = 0] = await pids([], { mine: required({ sandbox: 'read-only' }) });
    expect(alone).toBeLessThan(10);
    expect(alone).toBeGreaterThan(0);
  });
});

const BROKEN = `#!/bin/sh
[ "$1" = --version ] && { echo bubblewrap 0.9.0; exit 0; }
echo 'bwrap: setting up uid map: Permission denied' >&2
exit 1
`;

test.runIf(process.platform === 'linux')('without a working sandbox, hooks and servers that need it fail', async () => {
  await using fixture = await openCliFixture([says('done')]);
  await using folder = await temporaryFolder();
  await chmod(await folder.write('bwrap', BROKEN), 0o755);
  const PATH = `${folder.path}:${process.env['PATH']}`;
  const mcpServers = { mine: server({ sandbox: true }) };
  await userSettings(fixture, {
    sandbox: { enabled: true },
    mcpServers,
    ...hooks('touch hooked', { blocking: false }),
  });
  const { output } = await runOnce(fixture, [], 'go', { PATH });
  expect(output).toContain('it cannot run in the sandbox');
  expect(output).toMatch(/remove \\"sandbox\\" from mcpServers\.mine/);
  expect(output).toContain('apparmor_parser');
  await expect(fixture.workspace.read('hooked')).rejects.toThrow(/ENOENT/);
});
