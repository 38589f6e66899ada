import { mkdir, readFile, stat } from 'node:fs/promises';
import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { loadSettings } from '../config/load-settings.js';
import { findSettingsFiles } from '../config/settings-files.js';
import { readProject } from '../config/settings-layers.js';
import { trustProject } from '../config/trust-changes.js';
import { createAgentFile } from './create-agent-file.js';
import { loadAgents } from './load-agents.js';

const DRAFT = {
  name: 'code reviewer',
  description: 'Reviews: "all" of it\n# really',
  tools: ['read_file', 'grep_search'],
  systemPrompt: 'You review.\n',
};

async function repository() {
  const folder = await temporaryFolder();
  await mkdir(folder.resolve('repo/.git'), { recursive: true });
  await mkdir(folder.resolve('home'));
  const place = { configDir: folder.resolve('home'), cwd: folder.resolve('repo') };
  const load = async () => {
    const sources = { ...place, flags: {} };
    return loadAgents({ ...sources, settings: await loadSettings(sources) });
  };
  return { folder, place, load };
}

test('a created agent file is read back unchanged, whatever it contains', async () => {
  const { folder, place, load } = await repository();
  await using _folder = folder;
  const path = await createAgentFile(DRAFT, { ...place, scope: 'user' });
  expect(path).toBe(folder.resolve('home/agents/code-reviewer.md'));
  const { agents, notices } = await load();
  expect(notices).toEqual([]);
  expect(agents).toEqual([{ ...DRAFT, level: 'user', filePath: path, systemPrompt: 'You review.' }]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('without a list of tools it has all of them', async () => {
  const { folder, place, load } = await repository();
  await using _folder = folder;
  const { tools: _tools, ...draft } = DRAFT;
  await createAgentFile(draft, { ...place, scope: 'user' });
  expect((await load()).agents[0]).not.toHaveProperty('tools');
});

test('creating a file changes the trust of a project in no direction', async () => {
  const { folder, place, load } = await repository();
  await using _folder = folder;
  await createAgentFile(DRAFT, { ...place, scope: 'project' });
  expect((await load()).agents).toEqual([]);
  await trustProject(place.configDir, await readProject(findSettingsFiles({ ...place, flags: {} })));
  await createAgentFile({ ...DRAFT, name: 'second' }, { ...place, scope: 'project' });
  expect((await load()).agents.map(({ name }) => name)).toEqual(['code reviewer', 'second']);
});

test('an invalid name is refused, and an existing file is not overwritten', async () => {
  const { folder, place } = await repository();
  await using _folder = folder;
  const named = (name: string) => createAgentFile({ ...DRAFT, name }, { ...place, scope: 'user' });
  for (const name of ['', '../up', 'a\nb', '--flag']) {
    await expect(named(name)).rejects.toMatchObject({ code: 'invalid_payload' });
  }
  const path = await named('mine');
  const before = await readFile(path, 'utf8');
  await expect(
    createAgentFile({ ...DRAFT, name: 'mine', description: 'other' }, { ...place, scope: 'user' }),
  ).rejects.toMatchObject({ code: 'invalid_payload', message: expect.stringContaining(path) });
  expect(await readFile(path, 'utf8')).toBe(before);
});
