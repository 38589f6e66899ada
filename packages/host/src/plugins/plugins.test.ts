import { mkdir, symlink } from 'node:fs/promises';
import { temporaryFolder } from '@qwen/testkit';
import { expect, test, vi } from 'vitest';
import { loadFiles } from '../config/load-files.js';
import { PluginApprovals } from './plugin-approvals.js';
import { readPlugin } from './read-plugin.js';

const skill = '---\nname: release\ndescription: Releases.\n---\nDo it.';
const guard = (command: string) => ({
  hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }] },
});

async function world() {
  const folder = await temporaryFolder();
  await mkdir(folder.resolve('repo'));
  vi.stubEnv('HOME', folder.resolve('home'));
  const configDir = folder.resolve('home/.qwen');
  return {
    folder,
    configDir,
    write: (path: string, content: unknown) =>
      folder.write(`p/${path}`, typeof content === 'string' ? content : JSON.stringify(content)),
    load: async (flags: Parameters<typeof loadFiles>[0]['flags'] = { pluginDir: ['../p'] }) =>
      loadFiles({ configDir, cwd: folder.resolve('repo'), flags }),
    plugin: () => readPlugin({ folder: folder.resolve('p'), cwd: folder.resolve('repo') }),
    async [Symbol.asyncDispose]() {
      vi.unstubAllEnvs();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test('a plugin of Claude Code: each part goes where that of the user goes, under the name of the plugin', async () => {
  await using at = await world();
  const root = at.folder.resolve('p');
  await at.write('.claude-plugin/plugin.json', { name: 'tools', agents: ['./more/writer.md'], commands: './extra' });
  await at.write('commands/check.md', 'Check it.');
  await at.write('extra/ship.md', 'Ship it.');
  await at.write('agents/reviewer.md', '---\nname: reviewer\ndescription: Reviews.\nmodel: sonnet\n---\nReview.');
  await at.write('more/writer.md', '---\nname: writer\nmodel: qwen-max\n---\nWrite.');
  await at.write('skills/release/SKILL.md', skill);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of plugins
  await at.write('hooks/hooks.json', guard('"${CLAUDE_PLUGIN_ROOT}/check.sh"'));
  vi.stubEnv('TRACKER_TOKEN', 'secret');
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of plugins
  const server = { command: '${CLAUDE_PLUGIN_ROOT}/server', trust: true, env: { TOKEN: '${TRACKER_TOKEN}' } };
  await at.write('.mcp.json', { mcpServers: { tracker: server } });
  const { settings, agentFiles, skillFiles } = await at.load();
  expect(settings.plugins[0]).toMatchObject({
    name: 'tools',
    folder: root,
    commandFolders: [`${root}/commands`, `${root}/extra`],
    instructionFiles: [],
    notices: [],
  });
  expect(settings.hooks).toMatchObject([{ event: 'PreToolUse', variables: { CLAUDE_PLUGIN_ROOT: root } }]);
  expect(settings.mcpServers).toEqual([
    {
      name: 'plugin_tools_tracker',
      config: { command: `${root}/server`, env: { TOKEN: 'secret' }, extensionName: 'tools' },
      origin: 'flag',
      path: root,
    },
  ]);
  expect(agentFiles?.agents).toMatchObject([{ name: 'tools:reviewer' }, { name: 'tools:writer', model: 'qwen-max' }]);
  expect(agentFiles?.agents[0]?.model).toBeUndefined();
  expect(skillFiles?.skills).toMatchObject([{ name: 'tools:release', origin: 'plugin' }]);
  expect([...settings.notices, ...(agentFiles?.notices ?? []), ...(skillFiles?.notices ?? [])]).toEqual([]);
});

test('an extension of Gemini CLI: hooks have our names, excluded tools are denied, and its context is read', async () => {
  await using at = await world();
  await at.write('gemini-extension.json', {
    name: 'ext',
    version: '1.0.0',
    excludeTools: ['run_shell_command(rm)'],
    mcpServers: { one: { httpUrl: 'https://mcp.example/x' } },
  });
  await at.write('GEMINI.md', 'Be brief.');
  await at.write('hooks/hooks.json', {
    hooks: { BeforeTool: [{ matcher: 'write_file', hooks: [{ type: 'command', command: 'true', timeout: 5000 }] }] },
  });
  const { settings } = await at.load();
  expect(settings.plugins[0]?.instructionFiles).toEqual([at.folder.resolve('p/GEMINI.md')]);
  expect(settings.rules.deny).toEqual(['run_shell_command(rm:*)']);
  expect(settings.hooks).toMatchObject([{ event: 'PreToolUse', group: { hooks: [{ timeout: 5 }] } }]);
  expect(settings.mcpServers).toMatchObject([{ name: 'plugin_ext_one' }]);
});

test('what a plugin of the settings runs needs an approval, again after a change', async () => {
  await using at = await world();
  await at.folder.write('home/.qwen/settings.json', JSON.stringify({ plugins: ['~/../p', '/no/such'] }));
  await at.write('skills/release/SKILL.md', skill);
  await at.write('hooks/hooks.json', guard('one'));
  const load = async () => {
    const { settings, skillFiles } = await at.load({});
    const [notice] = settings.notices.filter(({ code }) => code === 'unapproved_plugin');
    return { hooks: settings.hooks.length, skills: skillFiles?.skills.length, notice: notice?.message ?? '' };
  };
  expect(await load()).toMatchObject({ hooks: 0, skills: 1, notice: expect.stringContaining('are not approved') });
  await new PluginApprovals(at.configDir).add(await at.plugin());
  expect(await load()).toEqual({ hooks: 1, skills: 1, notice: '' });
  await at.write('hooks/hooks.json', {});
  await expect(load()).rejects.toMatchObject({
    code: 'invalid_settings',
    message: expect.stringContaining('may block'),
  });
  const report = (command: string) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } });
  await at.write('hooks/hooks.json', report('one'));
  await new PluginApprovals(at.configDir).add(await at.plugin());
  await at.write('hooks/hooks.json', report('two'));
  expect(await load()).toMatchObject({ hooks: 0, notice: expect.stringContaining('have changed since') });
});

test('plugins of a project, and hooks that the user disabled, have no effect', async () => {
  await using at = await world();
  await at.write('hooks/hooks.json', guard('one'));
  await at.folder.write('repo/.qwen/settings.json', JSON.stringify({ plugins: ['../../p'] }));
  const { settings } = await at.load({ trustProject: true });
  expect(settings).toMatchObject({ plugins: [], notices: [{ code: 'user_setting_in_project' }] });
  const quiet = await at.load({ pluginDir: ['../p'], settings: '{"disableAllHooks":true}' });
  expect(quiet.settings.hooks).toEqual([]);
});

test.each<[string, string, unknown, string]>([
  ['a path out of the folder', '.claude-plugin/plugin.json', { commands: '../repo' }, 'leads out of the folder'],
  ['a link out of the folder', '.claude-plugin/plugin.json', { commands: './link' }, 'a link out of the folder'],
  [
    'a guard of another kind',
    'hooks/hooks.json',
    { PreToolUse: [{ hooks: [{ type: 'prompt' }] }] },
    'type \\"prompt\\"',
  ],
  ['a guard of another event', 'hooks/hooks.json', { hooks: { BeforeModel: [] } }, 'hooks of BeforeModel'],
  ['an unknown excluded tool', 'qwen-extension.json', { excludeTools: ['a('] }, 'excludeTools'],
  ['a bad name', '.claude-plugin/plugin.json', { name: '../x' }, 'plugin.json: '],
  ['broken JSON', '.mcp.json', '{', 'JSON'],
  ['nothing', 'README.md', 'x', 'neither a manifest'],
])('%s prevents the start', async (_what, path, content, problem) => {
  await using at = await world();
  await at.write(path, content);
  await symlink(at.folder.resolve('repo'), at.folder.resolve('p/link'));
  await expect(at.load()).rejects.toMatchObject({
    code: 'invalid_settings',
    message: expect.stringContaining(problem.replaceAll('\\"', '"')),
  });
});

test('links of single files out of the folder are skipped', async () => {
  await using at = await world();
  await at.folder.write('secret.md', '---\nname: a\n---\nSecret.');
  await mkdir(at.folder.resolve('p/agents'), { recursive: true });
  await symlink(at.folder.resolve('secret.md'), at.folder.resolve('p/agents/a.md'));
  const { agentFiles } = await at.load();
  expect(agentFiles).toMatchObject({ agents: [], notices: [{ code: 'invalid_agent' }] });
});
