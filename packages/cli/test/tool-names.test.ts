import { says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openCliFixture, prompt, RESULT } from './cli-fixture.js';

/** The tools that `system/init` names when the program starts with these flags. */
async function toolsWith(...flags: readonly string[]): Promise<unknown> {
  await using fixture = await openCliFixture([says('hello')]);
  const agent = await fixture.startMachine(flags);
  agent.send(prompt('hi'));
  const { tools } = await agent.next(({ type, subtype }) => type === 'system' && subtype === 'init');
  await agent.next(RESULT);
  return tools;
}

// All other names: the tests of the tool table.
test.each(['MultiEdit', 'replace'])('--exclude-tools %s removes edit', async (name) => {
  const tools = await toolsWith('--exclude-tools', name);
  expect(tools).toEqual(expect.arrayContaining(['read_file', 'write_file']));
  expect(tools).not.toContain('edit');
});

test('--core-tools offers only the tools that it names', async () => {
  const tools = await toolsWith('--core-tools', 'edit_file', '--core-tools', 'ReadFileTool');
  expect(new Set(tools as string[])).toEqual(new Set(['edit', 'read_file']));
});

test('a mistyped tool is reported with a suggestion', async () => {
  await using fixture = await openCliFixture();
  const agent = await fixture.start(['-p', 'hi', '--core-tools', 'edti']);
  agent.endInput();
  expect(await agent.exited).toMatchObject({ code: 2 });
  expect(agent.stderr).toContain('--core-tools: there is no built-in tool "edti". Did you mean "edit"?');
});
