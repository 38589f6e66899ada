import { chmod, mkdir, realpath, symlink } from 'node:fs/promises';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { afterEach, expect, test, vi } from 'vitest';
import { findProgram, trustedFolders } from './find-program.js';

afterEach(() => vi.unstubAllEnvs());

async function fixture() {
  const folder = await temporaryFolder();
  const program = async (name: string) => {
    const file = await folder.write(name, '#!/bin/sh\n');
    await chmod(file, 0o755);
    return realpath(file);
  };
  const system = await program('system/rg');
  await mkdir(folder.resolve('repo/.git'), { recursive: true });
  await mkdir(folder.resolve('repo/packages/a'), { recursive: true });
  for (const name of ['repo/bin/rg', 'repo/node_modules/.bin/rg', 'other/node_modules/.bin/rg', 'repo/packages/a/rg']) {
    await program(name);
  }
  await symlink(folder.resolve('repo/bin'), folder.resolve('linked'));
  await mkdir(folder.resolve('shims'));
  await symlink(folder.resolve('repo/bin/rg'), folder.resolve('shims/rg'));
  return { folder, program, system, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

test('a program that the project controls is never run', async () => {
  verifies('S44');
  await using at = await fixture();
  const { folder, system } = at;
  const project = folder.resolve('repo/packages/a');
  const controlled = ['repo/bin', 'repo/node_modules/.bin', 'other/node_modules/.bin', 'repo/packages/a', 'linked'];
  for (const entry of ['', '.', './bin', 'node_modules/.bin', ...controlled.map((name) => folder.resolve(name))]) {
    expect(trustedFolders({ searchPath: `${entry}:/x`, project })).toEqual(['/x']);
    expect(findProgram('rg', { searchPath: entry, project })).toBeUndefined();
    expect(findProgram('rg', { searchPath: `${entry}:${folder.resolve('system')}`, project })).toBe(system);
  }
  const shims = { searchPath: `${folder.resolve('shims')}:${folder.resolve('system')}`, project };
  expect(findProgram('rg', shims)).toBe(system);
});

test('only an absolute path selects a program without the PATH', async () => {
  await using at = await fixture();
  const project = at.folder.resolve('repo');
  expect(findProgram('./bin/rg', { project })).toBeUndefined();
  expect(findProgram('bin/rg', { searchPath: project, project })).toBeUndefined();
  expect(findProgram(at.system, { project })).toBe(at.system);
  expect(findProgram(at.folder.resolve('system'), { project })).toBeUndefined();
});

test('the home folder is not a project, so its programs stay usable', async () => {
  await using at = await fixture();
  const home = await realpath(at.folder.resolve('.'));
  await mkdir(at.folder.resolve('.git'));
  vi.stubEnv('HOME', home);
  const search = { searchPath: at.folder.resolve('system'), project: home };
  expect(findProgram('rg', search)).toBe(at.system);
});
