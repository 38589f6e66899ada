import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { compileApps } from '../compile-apps.ts';

const OURS = fileURLToPath(new URL('../../../packages/sdk/src/index.ts', import.meta.url));

const filesIn = (folder: string): string[] => {
  const path = fileURLToPath(new URL(folder, import.meta.url));
  return readdirSync(path).map((name) => `${path}/${name}`);
};

test.each([
  ['@qwen-code/sdk', {}],
  ['@qwen/sdk', { '@qwen-code/sdk': OURS }],
])('all apps compile with the types of %s', { timeout: 240_000 }, async (_name, sources) => {
  const files = [...filesIn('programs'), ...filesIn('apps')];
  expect(files.length).toBeGreaterThan(4);
  expect(await compileApps(files, sources)).toBe('');
});
