import { mkdir, readdir } from 'node:fs/promises';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { listTrusted } from './trust.js';
import { revokeTrust, trustProject } from './trust-changes.js';

async function stage() {
  const folder = await temporaryFolder();
  const qwenHome = folder.resolve('home');
  const projects = Array.from({ length: 8 }, (_, index) => folder.resolve(`project-${index}`));
  for (const project of projects) await mkdir(project);
  const trusted = () => listTrusted(qwenHome).map((entry) => entry.folder);
  return { qwenHome, projects, trusted, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

test('decisions of the same moment are all kept', async () => {
  verifies('S50');
  await using at = await stage();
  const [first = '', ...others] = at.projects;
  await trustProject(at.qwenHome, { folder: first, settings: [] });
  const revoking = revokeTrust(at.qwenHome, first);
  await Promise.all(others.map((folder) => trustProject(at.qwenHome, { folder, settings: [] })));
  expect(await revoking).toBe(true);
  expect(at.trusted().toSorted()).toEqual(others);
  expect(await readdir(at.qwenHome)).toEqual(['trusted-folders.json']);
});
