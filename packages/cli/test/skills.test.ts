import { mkdir } from 'node:fs/promises';
import { calls, says, temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { type CliFixture, openCliFixture } from './cli-fixture.js';

const skill = (name: string, more = '') =>
  `---\nname: ${name}\ndescription: |\n  Use it for\n  ${name}.\nallowed-tools: Bash\n${more}---\n\n# How\n\nFollow references/more.md. !{touch canary}\n`;

async function run(fixture: CliFixture, args: readonly string[], env = fixture.env) {
  const program = await fixture.start(args, { env });
  program.endInput();
  expect(await program.exited).toMatchObject({ code: 0 });
  return { stderr: program.stderr, text: program.lines.map(({ text }) => text).join('\n') };
}

const systemOf = (fixture: CliFixture, index: number) => JSON.stringify(fixture.model.requests[index]?.messages[0]);
const lastOf = (fixture: CliFixture, index: number) => JSON.stringify(fixture.model.requests[index]?.messages.at(-1));
const toolsOf = (fixture: CliFixture, index: number) => JSON.stringify(fixture.model.requests[index]?.tools);

test('skills of the user are listed, loaded once, readable with their files, and commands; they are read-only', async () => {
  // Outside of the workspace.
  await using home = await temporaryFolder();
  const path = await home.write('skills/release/SKILL.md', skill('release'));
  const more = await home.write('skills/release/references/more.md', 'The word is heron.');
  await home.write('skills/hidden/SKILL.md', skill('hidden', 'disable-model-invocation: true\n'));
  await home.write('skills/broken/SKILL.md', 'No front matter.');
  await home.write('skills/secret.txt', 'private');
  await using fixture = await openCliFixture([
    calls({ name: 'skill', input: { skill: 'release' } }),
    calls({ name: 'Skill', input: { name: 'release' } }),
    calls({ name: 'read_file', input: { file_path: more } }),
    calls({ name: 'edit', input: { file_path: more, old_string: 'heron', new_string: 'crow' } }),
    calls({ name: 'read_file', input: { file_path: home.resolve('skills/secret.txt') } }),
    calls({ name: 'run_shell_command', input: { command: 'touch canary' } }),
    says('done'),
    says('of the command'),
  ]);
  const env = { ...fixture.env, QWEN_HOME: home.path };
  const { stderr } = await run(fixture, ['-p', 'go', '--approval-mode', 'auto-edit'], env);
  expect(systemOf(fixture, 0)).toContain(`- release (${path}): Use it for release.`);
  expect(systemOf(fixture, 0)).not.toContain('hidden');
  expect(toolsOf(fixture, 0)).toContain('"enum":["release"]');
  expect(stderr).toContain('broken/SKILL.md: line 1: expected front matter');
  expect(lastOf(fixture, 1)).toContain('Follow references/more.md. !{touch canary}');
  expect(lastOf(fixture, 1)).toContain('<file>references/more.md</file>');
  expect(lastOf(fixture, 2)).toContain('in this conversation already');
  expect(lastOf(fixture, 3)).toContain('The word is heron.');
  expect(await home.read('skills/release/references/more.md')).toBe('The word is heron.');
  expect(lastOf(fixture, 5)).not.toContain('private');
  // `allowed-tools` permits nothing.
  expect(lastOf(fixture, 6)).toContain('No one can approve it here.');
  // The prefix stays the same, for provider caches.
  expect(systemOf(fixture, 6)).toBe(systemOf(fixture, 0));
  expect(toolsOf(fixture, 6)).toBe(toolsOf(fixture, 0));
  expect((await run(fixture, ['-p', '/hidden now'], env)).text).toBe('of the command');
  const sent = lastOf(fixture, 7);
  expect(sent).toContain('Follow references/more.md. !{touch canary}');
  expect(sent).toContain('Arguments: now');
});

test('skills of a project need trust; without skills there is neither a tool nor a catalogue', async () => {
  await using fixture = await openCliFixture([says('one'), says('two'), says('three')]);
  const { workspace } = fixture;
  await mkdir(workspace.resolve('.git'));
  await workspace.write('.agents/skills/evil/SKILL.md', skill('evil'));
  const { stderr } = await run(fixture, ['-p', 'go']);
  expect(stderr).toContain('not trusted');
  expect(systemOf(fixture, 0)).not.toContain('Skills');
  expect(toolsOf(fixture, 0)).not.toContain('skill');
  const trust = await run(fixture, ['trust']);
  expect(trust.text).toContain('skill ".agents/skills/evil/SKILL.md"');
  const { text } = await run(fixture, ['-p', 'go', '-o', 'json']);
  expect(systemOf(fixture, 1)).toContain('- evil (');
  expect(JSON.parse(text)[0]).toMatchObject({ skills: ['evil'], tools: expect.arrayContaining(['skill']) });
  await run(fixture, ['-p', 'go', '--skills=', '--append-system-prompt', 'END']);
  expect(systemOf(fixture, 2)).not.toContain('evil');
  expect(toolsOf(fixture, 2)).not.toContain('skill');
});

test('an own system prompt keeps the catalogue, and without the tool the model reads the files', async () => {
  await using fixture = await openCliFixture([says('one'), says('two')]);
  const { workspace } = fixture;
  await workspace.write('.qwen/skills/look/SKILL.md', skill('look'));
  await run(fixture, ['--trust-project', '--system-prompt', 'You are brief.', '-p', 'go']);
  expect(systemOf(fixture, 0)).toMatch(/^.{0,40}You are brief\..*load it with the tool skill.*- look \(/);
  await run(fixture, ['--trust-project', '--exclude-tools', 'Skill', '-p', 'go']);
  expect(systemOf(fixture, 1)).toContain('read its file before you start');
  expect(toolsOf(fixture, 1)).not.toContain('"look"');
});

test('qwen doctor lists skills and their problems', async () => {
  await using fixture = await openCliFixture([]);
  const { workspace } = fixture;
  await workspace.write('.claude/skills/look/SKILL.md', 'No front matter.');
  await run(fixture, ['trust']);
  const program = await fixture.start(['doctor', '--json'], { env: fixture.env });
  program.endInput();
  await program.exited;
  const { findings } = JSON.parse(program.lines.map(({ text }) => text).join('\n'));
  expect(findings.filter(({ area }: { readonly area: string }) => area === 'skills')).toMatchObject([
    { level: 'ok', message: 'there are no skills' },
    { level: 'warning', message: expect.stringContaining('look/SKILL.md: line 1') },
  ]);
});
