import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { compile } from './types.js';

const APP = fileURLToPath(new URL('programs/app.ts', import.meta.url));

test.each(['@qwen-code/sdk', '@qwen/sdk'])('an app compiles with the types of %s', { timeout: 120_000 }, (name) => {
  expect(compile(APP, name)).toEqual([]);
});
