import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { compile } from './types.js';

const filesIn = (folder: string): string[] => {
  const path = fileURLToPath(new URL(folder, import.meta.url));
  return readdirSync(path).map((name) => `${path}/${name}`);
};

test.each(['@qwen-code/sdk', '@qwen/sdk'])('all apps compile with the types of %s', { timeout: 240_000 }, (name) => {
  const files = [...filesIn('programs'), ...filesIn('apps')];
  expect(files.length).toBeGreaterThan(4);
  expect(compile(files, name)).toEqual([]);
});
