import { mkdir } from 'node:fs/promises';
import { calls, says, temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { type CliFixture, openCliFixture } from './cli-fixture.js';

const skill = (name: string, more = '') =>
  `---\nname: ${name}\ndescription: |\n  Use it for\n  ${name}.\nallowedTools:\n  - read_file\n${more}---\n\n# How\n\nFollow references/more.md. !{touch canary}\n`;

async function run(fixture: CliFixture, args: readonly string[], env = fixture.env) {
  const program = await fixture.start(args, { env });
  program.endInput();
  expect(await program.exited).toMatchObject({ code: 0 });
  return { stderr: program.stderr, text: program.lines.map(({ text }) => text).join('\n') };
}

const systemOf = (fixture: CliFixture, index: number) => JSON.stringify(fixture.model.requests[index]?.messages[0]);
const lastOf = (fixture: CliFixture, index: number) => JSON.stringify(fixture.model.requests[index]?.messages.at(-1));

test('skills of the user are listed, readable with their files, and commands; they are read-only', async () => {
  // Outside of the workspace.
  await using home = await temporaryFolder();
  const path = await home.write('skills/release/SKILL.md', skill('release'));
  const more = await home.write('skills/release/references/more.md', 'The word is heron.');
  await home.write('skills/hidden/SKILL.md', skill('hidden', 'disable-model-invocation: true\n'));
  await home.write('skills/broken/SKILL.md', 'No front matter.');
  await home.write('skills/secret.txt', 'private');
  await using fixture = await openCliFixture([
    calls({ name: 'read_file', input: { file_path: more } }),
    calls({ name: 'edit', input: { file_path: more, old_string: 'heron', new_string: 'crow' } }),
    calls({ name: 'read_file', input: { file_path: home.resolve('skills/secret.txt') } }),
    says('done'),
    says('of the command'),
  ]);
  const env = { ...fixture.env, QWEN_HOME: home.path };
  const { stderr } = await run(fixture, ['-p', 'go', '--approval-mode', 'auto-edit'], env);
  expect(systemOf(fixture, 0)).toContain(`- release (${path}): Use it for release.`);
  expect(systemOf(fixture, 0)).not.toContain('hidden');
  expect(stderr).toContain('broken/SKILL.md: line 1: expected front matter');
  expect(lastOf(fixture, 1)).toContain('The word is heron.');
  expect(await home.read('skills/release/references/more.md')).toBe('The word is heron.');
  expect(lastOf(fixture, 3)).not.toContain('private');
  expect((await run(fixture, ['-p', '/hidden now'], env)).text).toBe('of the command');
  const sent = lastOf(fixture, 4);
  expect(sent).toContain('Follow references/more.md. !{touch canary}');
  expect(sent).toContain('now');
});

test('skills and Markdown commands of a project need trust', async () => {
  await using fixture = await openCliFixture([says('one'), says('two'), says('three')]);
  const { workspace } = fixture;
  await mkdir(workspace.resolve('.git'));
  await workspace.write('.qwen/skills/evil/SKILL.md', skill('evil'));
  await workspace.write('.qwen/commands/git/look.md', '---\ndescription: Look\n---\nLook at $ARGUMENTS.');
  await run(fixture, ['-p', 'go']);
  expect(systemOf(fixture, 0)).not.toContain('evil');
  await run(fixture, ['--trust-project', '-p', 'go']);
  expect(systemOf(fixture, 1)).toContain('- evil (');
  await run(fixture, ['--trust-project', '-p', '/git:look main.ts']);
  expect(lastOf(fixture, 2)).toContain('Look at main.ts.');
});

test('memory files that qwen-code wrote for the user and the project are instructions', async () => {
  await using home = await temporaryFolder();
  await using fixture = await openCliFixture([says('done')]);
  const { workspace } = fixture;
  await mkdir(workspace.resolve('.git'));
  const name = workspace.path.replaceAll(/[^a-zA-Z0-9]/g, '-');
  await home.write('memories/MEMORY.md', '- The user likes herons.');
  await home.write(`projects/${name}/memory/MEMORY.md`, '- The project counts birds.');
  await home.write('projects/-other/memory/MEMORY.md', '- Another project.');
  await run(fixture, ['-p', 'go'], { ...fixture.env, QWEN_HOME: home.path });
  expect(systemOf(fixture, 0)).toContain('The user likes herons.');
  expect(systemOf(fixture, 0)).toContain('The project counts birds.');
  expect(systemOf(fixture, 0)).not.toContain('Another project.');
});
