import { verifies } from '@qwen/testkit';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PathGatherer } from './path-gatherer.js';

function listOf(...paths: readonly string[]) {
  const gatherer = new PathGatherer();
  for (const path of paths) gatherer.add(path.split('/'));
  return gatherer.toList();
}

interface Given {
  readonly limit?: number;
  readonly signal?: AbortSignal;
  readonly accepts?: (path: string) => boolean;
}

function search(list: ReturnType<typeof listOf>, text: string, given: Given = {}): Promise<string[]> {
  const { limit = 20, signal = new AbortController().signal, accepts = () => true } = given;
  return list.search({ text, limit, signal, accepts });
}

const project = listOf(
  'README.md',
  'src/components/Button with spaces.tsx',
  'src/components/Button.tsx',
  'src/core/index.ts',
  'src/deep/down/components.ts',
  'test/src-components.test.ts',
  '.github/workflows/ci.yml',
  'src/.hidden/x.ts',
);

describe('a match', () => {
  test('starts with the text; folders end in a slash and precede their contents', async () => {
    verifies('G-19', 'G-20');
    expect(await search(project, 'src/co')).toEqual([
      'src/core/',
      'src/components/',
      'src/core/index.ts',
      'src/components/Button.tsx',
      'src/components/Button with spaces.tsx',
      'src/deep/down/components.ts',
    ]);
  });

  test('or its last name does, or it contains the text, or its characters in order', async () => {
    expect(await search(project, 'button')).toEqual([
      'src/components/Button.tsx',
      'src/components/Button with spaces.tsx',
    ]);
    expect(await search(project, 'components.', { limit: 2 })).toEqual([
      'src/deep/down/components.ts',
      'test/src-components.test.ts',
    ]);
    expect(await search(project, 'srcbut')).toContain('src/components/Button.tsx');
    expect(await search(project, 'srcxyz')).toEqual([]);
  });

  test('ignores case and Unicode normalization', async () => {
    const list = listOf('docs/Cafe\u0301.md', 'docs/文件.md');
    expect(await search(list, 'DOCS/caf\u00e9')).toEqual(['docs/Cafe\u0301.md']);
    expect(await search(list, '文')).toEqual(['docs/文件.md']);
  });

  test('after a slash or without text lists the folder', async () => {
    const list = listOf('z.md', 'b/c.md', 'long-name/x/y.md', 'long-name/a.md', 'long-name/b.md');
    expect((await search(list, '')).slice(0, 3)).toEqual(['b/', 'long-name/', 'z.md']);
    expect(await search(list, 'long-name/')).toEqual([
      'long-name/',
      'long-name/x/',
      'long-name/a.md',
      'long-name/b.md',
      'long-name/x/y.md',
    ]);
  });

  test('is hidden only if the text contains a dot name', async () => {
    expect((await search(project, 'ci')).filter((path) => path.startsWith('.'))).toEqual([]);
    expect(await search(project, '.git')).toEqual(['.github/', '.github/workflows/', '.github/workflows/ci.yml']);
    expect(await search(project, 'src/.h')).toEqual(['src/.hidden/', 'src/.hidden/x.ts']);
  });

  test('must be accepted, up to the limit', async () => {
    const accepts = (path: string) => !path.includes('Button');
    expect(await search(project, 'src/c', { accepts, limit: 2 })).toEqual(['src/core/', 'src/components/']);
    expect(await search(project, 'button', { accepts })).toEqual([]);
  });
});

test('tight matches at word starts rank first among loose ones', async () => {
  const list = listOf('a/xxfxxixxlxxexxixxx.ts', 'a/some-file-index.ts', 'a/fast-idle-login-e-i-x.ts');
  expect((await search(list, 'fileix'))[0]).toBe('a/some-file-index.ts');
});

test('each path matches itself, its prefixes and its subsequences', async () => {
  const name = fc.string({ unit: fc.constantFrom(...'aAbZ09._- é文😀'), minLength: 1, maxLength: 8 });
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
  await fc.assert(
    fc.asyncProperty(path, fc.infiniteStream(fc.boolean()), async (text, choices) => {
      const list = listOf(text);
      const typed = /(?:^|\/)\./.test(text) ? text : [...text].filter(() => choices.next().value).join('');
      expect(await search(list, typed)).toContain(text);
    }),
  );
});

test('hostile texts and names are searched in linear time', async () => {
  verifies('F145');
  const list = listOf(...Array.from({ length: 200 }, (_, index) => `${'e'.repeat(250)}/${'e/'.repeat(50)}${index}`));
  expect(await search(list, `${'e'.repeat(300)}z`)).toEqual([]);
  expect(await search(list, 'e.'.repeat(100))).toEqual([]);
  expect((await search(list, 'e7'))[0]).toMatch(/7$/);
  expect(await search(list, 'e e/e e/e e/e 1 9 9')).toHaveLength(1);
  const lines = listOf(...Array.from({ length: 200 }, (_, index) => `${'e\ne'.repeat(60)}${index}z\nz`));
  expect(await search(lines, 'eeeeeeeeeezz')).toHaveLength(20);
  const faces = listOf(...Array.from({ length: 200 }, (_, index) => `${'E\u0301e/'.repeat(30)}\u{1f600}${index}`));
  expect(await search(faces, 'eeeeeeeeeeeeeee\u{1f600}')).toHaveLength(20);
  expect(await search(faces, 'ééééééééééééééé\u{1f600}')).toHaveLength(20);
});

test('an aborted search rejects', async () => {
  const reason = new Error('overtaken');
  await expect(search(project, 'x', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});
