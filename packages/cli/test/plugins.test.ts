import { existsSync } from 'node:fs';
import { calls, FAULTY_MCP_SERVER, says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { type CliFixture, openCliFixture } from './cli-fixture.js';

async function run(fixture: CliFixture, args: readonly string[]) {
  const program = await fixture.start(args);
  program.endInput();
  await program.exited;
  return { stderr: program.stderr, text: program.lines.map(({ text }) => text).join('\n') };
}

async function writePlugin({ workspace }: CliFixture) {
  const write = (path: string, content: unknown) =>
    workspace.write(`p one/${path}`, typeof content === 'string' ? content : JSON.stringify(content));
  await write('.claude-plugin/plugin.json', { name: 'team' });
  await write('commands/ship.md', 'Ship $ARGUMENTS.');
  await write('agents/reviewer.md', '---\nname: reviewer\ndescription: Reviews.\n---\nYou review.');
  await write('skills/release/SKILL.md', '---\nname: release\ndescription: Releases.\n---\nFollow it.');
  await write('guard.sh', 'grep -q forbidden && { echo "the team forbids it" >&2; exit 2; }; exit 0\n');
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of plugins
  const command = 'sh "${CLAUDE_PLUGIN_ROOT}/guard.sh"';
  await write('hooks/hooks.json', {
    hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }] },
  });
  const server = { command: process.execPath, args: [FAULTY_MCP_SERVER, 'none'] };
  await write('.mcp.json', { mcpServers: { faulty: { ...server, required: true } } });
}

test('--plugin-dir: commands, subagents, skills, hooks and MCP servers of a plugin, named after it', async () => {
  await using fixture = await openCliFixture([
    calls({ name: 'mcp__plugin_team_faulty__echo', input: { word: 'heron' } }),
    calls({ name: 'run_shell_command', input: { command: 'touch forbidden' } }),
    calls({ name: 'skill', input: { skill: 'team:release' } }),
    calls({ name: 'task', input: { subagent_type: 'team:reviewer', description: 'd', prompt: 'review' } }),
    says('reviewed'),
    says('done'),
    says('shipped'),
  ]);
  await writePlugin(fixture);
  const flags = ['--plugin-dir', 'p one', '--yolo', '-o', 'json'];
  const { text, stderr } = await run(fixture, ['-p', 'go', ...flags]);
  expect(stderr).toBe('');
  const init = JSON.parse(text)[0];
  expect(init).toMatchObject({
    plugins: [{ name: 'team', path: fixture.workspace.resolve('p one') }],
    skills: ['team:release'],
    agents: expect.arrayContaining(['team:reviewer']),
  });
  const sent = fixture.model.requests.map(({ messages }) => JSON.stringify(messages));
  expect(sent[1]).toContain('heron');
  expect(sent[2]).toContain('the team forbids it');
  expect(existsSync(fixture.workspace.resolve('forbidden'))).toBe(false);
  expect(sent[3]).toContain('Follow it.');
  expect(sent[4]).toContain('You review.');
  await run(fixture, ['-p', '/team:ship v2', '--plugin-dir', 'p one']);
  expect(JSON.stringify(fixture.model.requests[6]?.messages)).toContain('Ship v2.');
});
