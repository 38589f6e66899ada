import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { compile } from './types.js';

const filesIn = (folder: string): string[] => {
  const path = fileURLToPath(new URL(folder, import.meta.url));
  return readdirSync(path).map((name) => `${path}/${name}`);
};

describe.each(['@qwen-code/sdk', '@qwen/sdk'])('with the types of %s', (name) => {
  test.each([...filesIn('programs'), ...filesIn('apps')])('%s compiles', { timeout: 120_000 }, (file) => {
    expect(compile(file, name)).toEqual([]);
  });
});
