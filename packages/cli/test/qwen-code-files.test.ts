import { mkdir } from 'node:fs/promises';
import { says, temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { type CliFixture, openCliFixture } from './cli-fixture.js';

async function run(fixture: CliFixture, args: readonly string[], env = fixture.env) {
  const program = await fixture.start(args, { env });
  program.endInput();
  expect(await program.exited).toMatchObject({ code: 0 });
}

const systemOf = (fixture: CliFixture, index: number) => JSON.stringify(fixture.model.requests[index]?.messages[0]);
const lastOf = (fixture: CliFixture, index: number) => JSON.stringify(fixture.model.requests[index]?.messages.at(-1));

test('Markdown commands of a project need trust', async () => {
  await using fixture = await openCliFixture([says('three')]);
  const { workspace } = fixture;
  await mkdir(workspace.resolve('.git'));
  await workspace.write('.qwen/commands/git/look.md', '---\ndescription: Look\n---\nLook at $ARGUMENTS.');
  await run(fixture, ['--trust-project', '-p', '/git:look main.ts']);
  expect(lastOf(fixture, 0)).toContain('Look at main.ts.');
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
