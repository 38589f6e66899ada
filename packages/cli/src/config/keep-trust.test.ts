import { mkdir } from 'node:fs/promises';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { keepTrust } from './keep-trust.js';
import { loadSettings } from './load-settings.js';
import { trustProject } from './trust.js';

test.each([
  ['trusted', true],
  ['not trusted', false],
])('a project that was %s stays so when the user changes it', async (_what, isTrusted) => {
  verifies('S50');
  await using folder = await temporaryFolder();
  const [qwenHome, cwd] = [folder.resolve('home'), folder.resolve('repo')];
  await mkdir(cwd);
  if (isTrusted) trustProject(qwenHome, { folder: cwd, settings: [] });
  await keepTrust({ qwenHome, cwd }, async () => {
    await folder.write('repo/.qwen/settings.json', JSON.stringify({ permissions: { allow: ['Bash(ls)'] } }));
  });
  const { rules } = await loadSettings({ qwenHome, cwd, flags: {} });
  expect(rules.allow).toEqual(isTrusted ? ['Bash(ls)'] : []);
});
