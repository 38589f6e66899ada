import { mkdir, readdir } from 'node:fs/promises';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { listTrusted } from './trust.js';
import { revokeTrust, trustProject } from './trust-changes.js';

async function fixture() {
  const folder = await temporaryFolder();
  const configDir = folder.resolve('home');
  const projects = Array.from({ length: 8 }, (_, index) => folder.resolve(`project-${index}`));
  for (const project of projects) await mkdir(project);
  const trusted = () => listTrusted(configDir).map((entry) => entry.folder);
  return { configDir, projects, trusted, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

test('concurrent decisions are all stored', async () => {
  verifies('S50');
  await using at = await fixture();
  const [first = '', ...others] = at.projects;
  await trustProject(at.configDir, { folder: first, settings: [] });
  const revoking = revokeTrust(at.configDir, first);
  await Promise.all(others.map((folder) => trustProject(at.configDir, { folder, settings: [] })));
  expect(await revoking).toBe(true);
  expect(at.trusted().toSorted()).toEqual(others);
  expect(await readdir(at.configDir)).toEqual(['trusted-folders.json']);
});
