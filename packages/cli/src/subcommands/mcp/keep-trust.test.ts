import { mkdir } from 'node:fs/promises';
import { isCommandFolderTrusted } from '@qwen/host/commands/trusted-commands.js';
import { keepTrust } from '@qwen/host/config/keep-trust.js';
import { loadSettings } from '@qwen/host/config/load-settings.js';
import { createRuleStore } from '@qwen/host/config/rule-file.js';
import { findSettingsFiles } from '@qwen/host/config/settings-files.js';
import { readProject } from '@qwen/host/config/settings-layers.js';
import { trustProject } from '@qwen/host/config/trust-changes.js';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { runMcpAdd } from './add.js';

test('a settings change by the user does not approve agent files that others changed', async () => {
  verifies('S50');
  await using folder = await temporaryFolder();
  const [configDir, cwd] = [folder.resolve('home'), folder.resolve('repo')];
  await folder.write('repo/.qwen/agents/a.md', '---\n---\nOne.');
  await trustProject(configDir, await readProject(findSettingsFiles({ configDir, cwd, flags: {} })));
  const load = () => loadSettings({ configDir, cwd, flags: {} });
  const allow = (rule: string) =>
    createRuleStore({ configDir, cwd }).save({
      type: 'addRules',
      behavior: 'allow',
      rules: [rule],
      destination: 'projectSettings',
    });
  await allow('Bash(one)');
  expect((await load()).projectAgents?.texts).toHaveLength(1);
  await folder.write('repo/.qwen/agents/a.md', '---\n---\nOther.');
  await expect(allow('Bash(two)')).rejects.toMatchObject({ code: 'untrusted_folder' });
  expect(await load()).toMatchObject({ rules: { allow: [] }, notices: [{}] });
  expect((await load()).projectAgents).toBeUndefined();
});

test("a folder without requests becomes trusted with its user's rule, until something is added", async () => {
  await using folder = await temporaryFolder();
  const [configDir, cwd] = [folder.resolve('home'), folder.resolve('repo')];
  await mkdir(cwd);
  const rules = createRuleStore({ configDir, cwd });
  await rules.save({ type: 'addRules', behavior: 'allow', rules: ['Bash(ls)'], destination: 'localSettings' });
  const load = () => loadSettings({ configDir, cwd, flags: {} });
  expect(await load()).toMatchObject({ rules: { allow: ['Bash(ls)'] }, notices: [] });
  const commands = { cwd, configDir, readsProjectInstructions: true, trustsProject: false };
  expect(isCommandFolderTrusted(commands)).toBe(false);
  await folder.write('repo/.qwen/agents/a.md', '---\n---\nHello.');
  expect(await load()).toMatchObject({ rules: { allow: [] }, notices: [{ code: 'untrusted_folder' }] });
});

test.each([
  ['trusted', true],
  ['not trusted', false],
])('a project that was %s stays so when the user changes it', async (_what, isTrusted) => {
  verifies('S50');
  await using folder = await temporaryFolder();
  const [configDir, cwd] = [folder.resolve('home'), folder.resolve('repo')];
  await mkdir(cwd);
  if (isTrusted) await trustProject(configDir, { folder: cwd, settings: [] });
  else await folder.write('repo/.qwen/settings.local.json', JSON.stringify({ permissions: { allow: ['Bash(id)'] } }));
  await keepTrust({ configDir, cwd }, async () => {
    await folder.write('repo/.qwen/settings.json', JSON.stringify({ permissions: { allow: ['Bash(pwd)'] } }));
  });
  // The ways in which the program changes such files.
  const rules = createRuleStore({ configDir, cwd });
  await rules
    .save({ type: 'addRules', behavior: 'allow', rules: ['Bash(ls)'], destination: 'projectSettings' })
    .catch((thrown: unknown) => expect([isTrusted, thrown]).toMatchObject([false, { code: 'untrusted_folder' }]));
  await runMcpAdd({
    words: ['--scope', 'project', 'here', 'true'],
    environment: { QWEN_HOME: configDir },
    cwd,
    print: async () => undefined,
    printError: () => undefined,
  });
  const settings = await loadSettings({ configDir, cwd, flags: {} });
  expect(settings.rules.allow).toEqual(isTrusted ? ['Bash(pwd)', 'Bash(ls)'] : []);
  expect(settings.mcpServers.map(({ name }) => name)).toEqual(isTrusted ? ['here'] : []);
});
