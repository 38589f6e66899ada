import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import type { Configuration } from '../config/load-config.js';
import { trustProject } from '../config/trust-changes.js';
import { isCommandFolderTrusted } from './trusted-commands.js';

test('command files of a project load only if its folder is trusted, and never in safe mode', async () => {
  verifies('S53');
  await using folder = await temporaryFolder();
  const configDir = folder.resolve('home');
  const [trusted, other] = [folder.resolve('trusted'), folder.resolve('other')];
  await folder.write('trusted/a', '');
  await folder.write('other/a', '');
  await trustProject(configDir, { folder: trusted, settings: [] });
  const isTrusted = (cwd: string, more: Partial<Configuration> = {}) =>
    isCommandFolderTrusted({
      cwd,
      configDir,
      readsProjectInstructions: true,
      trustsProject: false,
      ...more,
    });
  expect(isTrusted(trusted)).toBe(true);
  expect(isTrusted(other)).toBe(false);
  expect(isTrusted(folder.resolve('gone'))).toBe(false);
  expect(isTrusted(other, { trustsProject: true })).toBe(true);
  for (const cwd of [trusted, other]) {
    expect(isTrusted(cwd, { readsProjectInstructions: false, trustsProject: true })).toBe(false);
  }
  await folder.write('home/trusted-folders.json', 'torn');
  expect(isTrusted(trusted)).toBe(false);
});
