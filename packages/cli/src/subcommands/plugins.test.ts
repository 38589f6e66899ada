import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { runDoctor } from './doctor.js';
import { runPlugins } from './plugins.js';

async function fixture() {
  const folder = await temporaryFolder();
  const run = async (words: readonly string[], subcommand = runPlugins) => {
    let text = '';
    await subcommand({
      words,
      environment: { QWEN_HOME: folder.resolve('home') },
      cwd: folder.path,
      print: async (more) => {
        text += more;
      },
      printError: (more) => {
        text += more;
      },
    });
    return text;
  };
  const hooks = (command: string) =>
    folder.write(
      'p/hooks/hooks.json',
      JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command }] }] } }),
    );
  return { folder, run, hooks, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

test('add approves what it prints, a change needs a new approval, and remove forgets the plugin', async () => {
  await using at = await fixture();
  await at.hooks('echo \u001b[2J');
  await at.folder.write('p/gemini-extension.json', '{"name":"team","mcpServers":{"a":{"url":"https://a.example"}}}');
  expect(await at.run(['list'])).toBe('');
  expect(await at.run(['add', 'p'])).toBe(
    [
      `team (${at.folder.resolve('p')}) is added, with`,
      '  hook PreToolUse: "echo \\u001b[2J"',
      '  MCP server plugin_team_a: {"url":"https://a.example","extensionName":"team"}',
      '',
    ].join('\n'),
  );
  expect(await at.run(['list'])).toBe('team  approved\n  hooks, MCP servers\n');
  await at.hooks('other');
  expect(await at.run(['list'])).toContain('team  changed since its approval\n');
  expect(await at.run([], runDoctor)).toMatch(
    /warning +plugins +team is changed since its approval.*\n +qwen plugins add/,
  );
  await at.run(['add', 'p/']);
  expect(JSON.parse(await at.run(['list', '--json']))).toMatchObject({
    plugins: [{ name: 'team', state: 'approved' }],
  });
  expect(await at.folder.read('home/settings.json')).toBe(
    `${JSON.stringify({ plugins: [at.folder.resolve('p')] }, undefined, 2)}\n`,
  );
  expect(await at.run(['remove', 'team'])).toContain('team is removed');
  expect(await at.run(['list'])).toBe('');
  await expect(at.run(['remove', 'team'])).rejects.toMatchObject({ code: 'usage' });
  await expect(at.run(['add', 'nowhere'])).rejects.toMatchObject({ code: 'usage' });
});

test('a broken plugin is listed with its problem, and can be removed', async () => {
  await using at = await fixture();
  await at.hooks('true');
  await at.run(['add', 'p']);
  await at.folder.write('p/.claude-plugin/plugin.json', '{');
  expect(await at.run(['list'])).toMatch(/p {2}broken\n.*JSON/);
  await at.run(['remove', 'p']);
  expect(await at.run(['list'])).toBe('');
});
