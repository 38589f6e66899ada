import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { compileSnippets } from './compile-snippets.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('each TypeScript snippet of the docs and READMEs compiles', async () => {
  verifies('T33');
  const pages = globSync('{*.md,docs/**/*.md,packages/*/README.md}', { cwd: ROOT });
  const snippets = new Map(pages.flatMap(snippetsOf));
  expect(snippets.size).toBeGreaterThan(5);
  expect(await compileSnippets(snippets)).toBe('');
}, 60_000);

test('a snippet that does not compile is reported with its name and line', async () => {
  const snippets = new Map([
    ['correct', "import { query } from '@qwen/sdk';\nawait query({ prompt: 'hi' }).close();"],
    ['wrong', "import { query } from '@qwen/sdk';\nawait query({ prompt: 1 }).close();"],
  ]);
  expect(await compileSnippets(snippets)).toMatch(/^\S*wrong\.mts\(2,15\): error TS2322: .*\n$/);
}, 60_000);

/** The blocks that are marked as TypeScript. */
function snippetsOf(page: string): [name: string, code: string][] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code = ''], index) => [
    `${page.replaceAll(/\W/g, '-')}-${index + 1}`,
    code,
  ]);
}
