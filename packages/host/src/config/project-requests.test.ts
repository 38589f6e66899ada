import { mkdir } from 'node:fs/promises';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { findUntrustedProject } from './project-requests.js';
import type { SettingsFlags } from './settings-files.js';

const HOOKS = { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'make mess' }] }] } };

async function repository(files: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder();
  await mkdir(folder.resolve('repo/.git'), { recursive: true });
  for (const [name, text] of Object.entries(files)) await folder.write(`repo/.qwen/${name}`, text);
  const sources = { configDir: folder.resolve('home'), cwd: folder.resolve('repo') };
  const find = (flags: SettingsFlags = {}) => findUntrustedProject({ ...sources, flags });
  return { folder, find };
}

test('requests of a project are asked about; denials need no trust, and without files there are none', async () => {
  verifies('S47');
  const hooks = await repository({ 'settings.json': JSON.stringify(HOOKS) });
  await using _hooks = hooks.folder;
  expect((await hooks.find())?.requests).toEqual(['hook Stop: "make mess"']);
  const agents = await repository({ 'agents/a.md': '---\nname: a\n---\nHello.' });
  await using _agents = agents.folder;
  expect((await agents.find())?.requests[0]).toBe('agent ".qwen/agents/a.md"');
  const denials = await repository({ 'settings.json': '{"permissions":{"deny":["Bash(rm *)"]}}' });
  await using _denials = denials.folder;
  expect(await denials.find()).toBeUndefined();
  const none = await repository({});
  await using _none = none.folder;
  expect(await none.find()).toBeUndefined();
});

test('no question is asked if a flag has decided or no project file is read', async () => {
  const { folder, find } = await repository({ 'settings.json': JSON.stringify(HOOKS), 'agents/a.md': 'Hello.' });
  await using _folder = folder;
  expect(await find({ safeMode: true })).toBeUndefined();
  expect(await find({ trustProject: true })).toBeUndefined();
  expect(await find({ settingSources: ['user'] })).toBeUndefined();
  expect(await find({ settingSources: ['project'] })).toBeDefined();
});
