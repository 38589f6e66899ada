import { verifies } from '@qwen/testkit';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextMention } from '../references/read-mention.js';
import { suggestFiles, typedReference } from './at-hints.js';
import type { FileQuery } from './hint.js';

async function suggest(text: string, found: readonly string[] = [], cursor = text.length) {
  const queries: FileQuery[] = [];
  const suggestions = await suggestFiles(
    { promptId: 'p', trigger: 'at', text, cursor, cwd: '/w' },
    {
      search: async (query) => {
        queries.push(query);
        return found;
      },
    },
    { signal: new AbortController().signal, onWait: () => undefined },
  );
  return { ...suggestions, queries };
}

test('a suggestion has the readable path as label and the escaped path as value', async () => {
  verifies('G-19', 'G-20');
  const found = ['src/components/', 'src/components/Button.tsx', 'src/components/Button with spaces.tsx'];
  expect(await suggest('@src/co', found)).toMatchObject({
    suggestions: [
      { label: 'src/components/', value: 'src/components/' },
      { label: 'src/components/Button.tsx', value: 'src/components/Button.tsx' },
      { label: 'src/components/Button with spaces.tsx', value: 'src/components/Button\\ with\\ spaces.tsx' },
    ],
    isPerfectMatch: false,
    queries: [{ cwd: '/w', text: 'src/co' }],
  });
});

test('the path of a file is a perfect match', async () => {
  verifies('G-18');
  expect((await suggest('see @a\\ b', ['a b', 'a bc'])).isPerfectMatch).toBe(true);
  expect((await suggest('@a', ['ab'])).isPerfectMatch).toBe(false);
  expect((await suggest('@', ['ab'])).isPerfectMatch).toBe(false);
});

test.each([
  ['@', 'src/'],
  ['Look at @src/co', 'src/co'],
  ['请看@src/co', 'src/co'],
  ['two: @a and @b', 'b'],
  ['@a\\ b', 'a b'],
  ['@"a b', 'a b'],
  ['@icons/a@2', 'icons/a@2'],
  ['@./src', 'src'],
  ['@/w/src', 'src'],
])('%s ends in a reference', async (text, expected) => {
  verifies('G-04', 'G-19');
  const { queries } = await suggest(text);
  expect(queries.map((query) => query.text)).toEqual([expected === 'src/' ? '' : expected]);
});

test('the cursor selects the reference', async () => {
  verifies('G-04');
  expect((await suggest('@abc and @def', [], 3)).queries).toMatchObject([{ text: 'ab' }]);
});

test.each([['jane@example'], ['\\@src'], ['@src and'], ['@"a b" c'], ['nothing'], ['']])(
  'in %j none is, and nothing is looked for',
  async (text) => {
    verifies('GAP-27');
    expect(await suggest(text, ['x'])).toEqual({ suggestions: [], isPerfectMatch: false, queries: [] });
  },
);

test('hints and references read a suggested value back as the same path', async () => {
  verifies('G-19', 'GAP-27');
  const name = fc.string({ unit: fc.constantFrom(...'ab ./@\\"\'(),;:!?文，é\t'), minLength: 1 });
  await fc.assert(
    fc.asyncProperty(name, async (path) => {
      const { suggestions } = await suggest('@', [path]);
      const text = `@${suggestions[0]?.value ?? ''}`;
      expect(nextMention(text)?.readings[0]?.path).toBe(path);
      expect(typedReference(text, text.length)).toEqual({ path, start: 1 });
    }),
  );
});
