import { readFile } from 'node:fs/promises';
import { query } from '@qwen/sdk';
import { expect, test } from 'vitest';
import { existingIn, namedIn, printSurface, SERVER_NAMES, SURFACE } from './surface.js';
import { namesOfPackage } from './types.js';

// The installed version of their package is read: a new version with a name that no table has fails here.

const types = SURFACE.flatMap(({ type }) => type ?? []);
const theirs = namesOfPackage('@qwen-code/sdk', types);
const ours = namesOfPackage('@qwen/sdk', types);

test.each(SURFACE.map((section) => [section.title, section] as const))('%s: each name has a row', (_title, section) => {
  const { type } = section;
  const all = type === undefined ? theirs.exports.filter((name) => !SERVER_NAMES.test(name)) : theirs.members(type);
  expect(all.length).toBeGreaterThan(3);
  expect(namedIn(section).toSorted()).toEqual([...all].toSorted());
  const own = type === undefined ? ours.exports : ours.members(type);
  expect(existingIn(section).filter((name) => !own.includes(name))).toEqual([]);
});

test('the page contains the tables', async () => {
  const page = await readFile(new URL('../../../docs/compatibility.md', import.meta.url), 'utf8');
  expect(page).toContain(printSurface());
});

test.each(Object.keys(SURFACE[0]?.refused ?? {}))('the option %s is refused by name', (name) => {
  const options: object = { [name]: name === 'extensions' ? ['a'] : true };
  expect(() => query({ prompt: 'x', options })).toThrow(`options.${name} is not supported by this version`);
});
