import { mkdir, readFile, stat } from 'node:fs/promises';
import type { PermissionUpdate } from '@qwen/protocol';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { loadSettings } from './load-settings.js';
import { createRuleStore } from './rule-file.js';
import { trustProject } from './trust-changes.js';

async function fixture({ isTrusted = true } = {}) {
  const folder = await temporaryFolder();
  await mkdir(folder.resolve('repo/.git'), { recursive: true });
  if (isTrusted) await trustProject(folder.resolve('home'), { folder: folder.resolve('repo'), settings: [] });
  const store = createRuleStore({ configDir: folder.resolve('home'), cwd: folder.resolve('repo') });
  const read = async (name: string): Promise<unknown> => JSON.parse(await readFile(folder.resolve(name), 'utf8'));
  return { folder, store, read, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

const adding = (destination: PermissionUpdate['destination'], ...rules: string[]) =>
  ({ type: 'addRules', behavior: 'allow', rules, destination }) as const;

test('rules are added to the right list, and the rest of the file stays', async () => {
  verifies('S29');
  await using at = await fixture();
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

test('an allow rule in an untrusted project is written and reported as not yet in effect', async () => {
  verifies('S49');
  await using at = await fixture({ isTrusted: false });
  await at.folder.write('repo/.qwen/settings.local.json', JSON.stringify({ permissions: { allow: ['Bash(id)'] } }));
  const path = at.folder.resolve('repo/.qwen/settings.json');
  const waiting: readonly PermissionUpdate[] = [
    adding('projectSettings', 'Bash(a)'),
    { type: 'setMode', mode: 'yolo', destination: 'projectSettings' },
  ];
  for (const update of waiting) {
    await expect(at.store.save(update)).rejects.toMatchObject({
      code: 'untrusted_folder',
      message: expect.stringContaining('qwen trust'),
      data: { path },
    });
  }
  expect(await at.read('repo/.qwen/settings.json')).toEqual({
    permissions: { allow: ['Bash(a)'], defaultMode: 'yolo' },
  });
  const counting: readonly PermissionUpdate[] = [
    { ...adding('localSettings', 'Bash(b)'), behavior: 'deny' },
    { ...adding('projectSettings', 'Bash(a)'), type: 'removeRules' },
    { type: 'setMode', mode: 'plan', destination: 'projectSettings' },
    adding('userSettings', 'Bash(c)'),
  ];
  for (const update of counting) await expect(at.store.save(update)).resolves.toBeUndefined();
});

test('two programs that add rules at the same time lose none, and the project stays trusted', async () => {
  await using at = await fixture();
  const names = Array.from({ length: 8 }, (_, index) => `Bash(${index})`);
  const another = () => createRuleStore({ configDir: at.folder.resolve('home'), cwd: at.folder.resolve('repo') });
  await Promise.all(names.map((rule) => another().save(adding('localSettings', rule))));
  const settings = await loadSettings({
    configDir: at.folder.resolve('home'),
    cwd: at.folder.resolve('repo'),
    flags: {},
  });
  expect(settings.rules.allow.toSorted()).toEqual(names);
});

test('rules are removed and replaced, and the mode is kept', async () => {
  await using at = await fixture();
  await at.store.save(adding('userSettings', 'Bash(a)', 'Bash(b)'));
  await at.store.save({ ...adding('userSettings', 'Bash(a)'), type: 'removeRules' });
  await at.store.save({ type: 'setMode', mode: 'plan', destination: 'userSettings' });
  expect(await at.read('home/settings.json')).toEqual({ permissions: { allow: ['Bash(b)'], defaultMode: 'plan' } });
  await at.store.save({ ...adding('userSettings', 'Edit'), type: 'replaceRules' });
  expect(await at.read('home/settings.json')).toMatchObject({ permissions: { allow: ['Edit'] } });
});

test('an unreadable file is never overwritten', async () => {
  verifies('S51');
  await using at = await fixture();
  for (const broken of ['{ "permissions": ', '{"permissions":{"allow":"Bash"}}']) {
    await at.folder.write('home/settings.json', broken);
    await expect(at.store.save(adding('userSettings', 'Edit'))).rejects.toMatchObject({ code: 'invalid_settings' });
    expect(await readFile(at.folder.resolve('home/settings.json'), 'utf8')).toBe(broken);
  }
});

test('comments and layout stay, also in the lists of rules', async () => {
  await using at = await fixture();
  const before = `{
  // what I never want
  "permissions": {
    "deny": [ "Bash(rm:*)" ],
    "allow": [
      "Bash(a)", // the first
      "Bash(b)"
    ]
  }
}
`;
  await at.folder.write('home/settings.json', before);
  const text = () => readFile(at.folder.resolve('home/settings.json'), 'utf8');
  await at.store.save(adding('userSettings', 'Bash(c)'));
  expect(await text()).toBe(before.replace('"Bash(b)"', '"Bash(b)",\n      "Bash(c)"'));
  await at.store.save({ ...adding('userSettings', 'Bash(b)', 'Bash(c)'), type: 'removeRules' });
  expect(await text()).toBe(before.replace('"Bash(a)", // the first\n      "Bash(b)"', '"Bash(a)" // the first'));
});
