import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { compileApps } from '../compile-apps.ts';

const APPS = fileURLToPath(new URL('apps', import.meta.url));
const SDK = fileURLToPath(new URL('../../../packages/sdk/src/claude', import.meta.url));

test('whole apps compile with the types of @qwen/sdk/claude', { timeout: 120_000 }, async () => {
  const files = (await readdir(APPS)).map((name) => `${APPS}/${name}`);
  expect(files.length).toBeGreaterThan(10);
  const sources = {
    '@anthropic-ai/claude-agent-sdk': `${SDK}/index.ts`,
    '@anthropic-ai/claude-agent-sdk/sdk-tools': `${SDK}/sdk-tools/index.ts`,
  };
  expect(await compileApps(files, sources)).toBe('');
});
