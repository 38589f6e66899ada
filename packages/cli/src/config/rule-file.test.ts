import { mkdir, readFile, stat } from 'node:fs/promises';
import type { PermissionUpdate } from '@qwen/protocol';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { createRuleStore } from './rule-file.js';

async function stage() {
  const folder = await temporaryFolder();
  await mkdir(folder.resolve('repo/.git'), { recursive: true });
  const store = createRuleStore({ qwenHome: folder.resolve('home'), cwd: folder.resolve('repo') });
  const read = async (name: string): Promise<unknown> => JSON.parse(await readFile(folder.resolve(name), 'utf8'));
  return { folder, store, read, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

const adding = (destination: PermissionUpdate['destination'], ...rules: string[]) =>
  ({ type: 'addRules', behavior: 'allow', rules, destination }) as const;

test('rules go where they are meant to, and everything else that a file says stays', async () => {
  verifies('S29', 'S45');
  await using at = await stage();
  const before = { model: 'm', permissions: { deny: ['Bash(rm:*)'], allow: ['Bash(ls)'], later: 1 }, more: { a: 1 } };
  await at.folder.write('home/settings.json', JSON.stringify(before));
  await Promise.all([
    at.store.save(adding('userSettings', 'Bash(a)')),
    at.store.save(adding('userSettings', 'Bash(b)', 'Bash(ls)')),
    at.store.save(adding('localSettings', 'Bash(c)')),
    at.store.save({ ...adding('projectSettings'), behavior: 'deny', rules: [{ toolName: 'Edit', ruleContent: '/x' }] }),
  ]);
  expect(await at.read('home/settings.json')).toEqual({
    ...before,
    permissions: { ...before.permissions, allow: ['Bash(a)', 'Bash(b)', 'Bash(ls)'] },
  });
  expect(await at.read('repo/.qwen/settings.local.json')).toEqual({ permissions: { allow: ['Bash(c)'] } });
  expect(await at.read('repo/.qwen/settings.json')).toEqual({ permissions: { deny: ['Edit(/x)'] } });
  expect((await stat(at.folder.resolve('home/settings.json'))).mode & 0o777).toBe(0o600);
});

test('rules are taken out and replaced, and the mode is kept', async () => {
  await using at = await stage();
  await at.store.save(adding('userSettings', 'Bash(a)', 'Bash(b)'));
  await at.store.save({ ...adding('userSettings', 'Bash(a)'), type: 'removeRules' });
  await at.store.save({ type: 'setMode', mode: 'plan', destination: 'userSettings' });
  expect(await at.read('home/settings.json')).toEqual({ permissions: { allow: ['Bash(b)'], defaultMode: 'plan' } });
  await at.store.save({ ...adding('userSettings', 'Edit'), type: 'replaceRules' });
  expect(await at.read('home/settings.json')).toMatchObject({ permissions: { allow: ['Edit'] } });
});

test('a file that is not understood is never written over', async () => {
  verifies('S51');
  await using at = await stage();
  for (const broken of ['{ "permissions": ', '{"permissions":{"allow":"Bash"}}']) {
    await at.folder.write('home/settings.json', broken);
    await expect(at.store.save(adding('userSettings', 'Edit'))).rejects.toMatchObject({ code: 'invalid_settings' });
    expect(await readFile(at.folder.resolve('home/settings.json'), 'utf8')).toBe(broken);
  }
});
