import { expect, test } from 'vitest';
import { countWordings, countWords, findIds, readMarkdown, readSource } from './prose-count.ts';
import { WORDINGS } from './prose-rules.ts';

const passage = (text: string) => ({ path: 'a.md', line: 1, text });
const namesIn = (text: string) => countWordings([passage(text)], WORDINGS).map(({ name }) => name);
const idsIn = (text: string) => findIds([passage(text)]).map(({ excerpt }) => excerpt);

test('reads comments and strings of source files, not code', () => {
  const source = [
    '/**',
    ' * Nobody',
    ' * waits.',
    ' */',
    "const nobody = 'two words';",
    "const url = '// not a comment at all';",
    '// @ts-expect-error reason',
    'const text = `Could not open ${url}: whoever ${nobody}`;',
  ].join('\n');
  const { comments, strings, lines } = readSource('a.ts', source);
  expect(comments.map(({ line, text }) => [line, countWords(text)])).toEqual([[1, 2]]);
  expect(strings).toEqual([
    { path: 'a.ts', line: 6, text: '// not a comment at all' },
    { path: 'a.ts', line: 8, text: 'Could not open …: whoever …' },
  ]);
  expect(lines).toBe(8);
});

test('reports the line inside a longer comment', () => {
  const { comments } = readSource('a.ts', '\n/**\n * One line.\n * Nobody waits.\n */\nexport const a = 1;\n');
  const [count] = countWordings(comments, WORDINGS);
  expect(count?.findings).toEqual([{ path: 'a.ts', line: 4, excerpt: 'One line. Nobody waits.' }]);
});

test('ignores the examples of a doc comment', () => {
  const source =
    '/**\n * One line.\n *\n * @example\n * nobody();\n *\n * @throws Nobody waits.\n */\nexport const a = 1;\n';
  const { comments } = readSource('a.ts', source);
  expect(comments.map(({ text }) => countWords(text))).toEqual([5]);
  expect(countWordings(comments, WORDINGS)[0]?.findings).toMatchObject([{ line: 7 }]);
});

test('reads JSX text', () => {
  const { strings } = readSource('a.tsx', 'export const view = <p>It stands in the file</p>;');
  expect(strings.map(({ text }) => text)).toEqual(['It stands in the file']);
});

test('fails on source that does not parse', () => {
  expect(() => readSource('a.ts', 'const = ;')).toThrow(/^a\.ts: /);
});

test('ignores code and URLs of a page, and keeps line numbers', () => {
  const page = ['# Title', '```sh', 'nobody', '```', 'Run `whoever` or [see](nobody.md).', '<!-- somebody -->'];
  const passages = readMarkdown('a.md', page.join('\n'));
  expect(passages.map(({ text }) => text.trim())).toEqual(['# Title', '', '', '', 'Run `…` or [see].', '']);
  expect(passages[4]?.line).toBe(5);
});

test('counts per 10,000 words', () => {
  const [count] = countWordings([passage(`nobody ${'word '.repeat(1999)}`)], WORDINGS);
  expect(count).toMatchObject({ name: 'nobody', rate: 5 });
});

test.for<[string, string]>([
  ['The name stands for a file.', 'stands'],
  ['The app is never told.', 'is told'],
  ['It goes on with the next.', 'goes on'],
  ['Esc is a no.', 'a yes, a no'],
  ['One owner a resource.', 'one owner a resource'],
  ['It grew by 1 % a day', '1 %'],
  ['It begins behind the last line', 'comes behind'],
  ['a bundle of its own', 'of its own'],
  ['What it asked for is shown.', 'what as a noun'],
])('finds the wording of "%s"', ([text, name]) => {
  expect(namesIn(text)).toContain(name);
});

test.for([
  'A no-op.',
  'Standalone, and it can stand alone.',
  'A yes-or-no question',
  'Math.floor rounds 1% down',
  'So what?',
])('accepts "%s"', (text) => {
  expect(namesIn(text)).toEqual([]);
});

test.for([
  '(F68)',
  'GAP-46',
  'CF-54',
  'O-06',
  'S27',
  'FB20',
  'HOUSE §4',
  'HOUSE §3.0.3',
  'FEATURES D8',
  '(B9)',
  'C13',
  'F206',
])('finds the id %s', (text) => {
  expect(idsIn(`It ends once ${text}.`)).toHaveLength(1);
});

test.for([
  'SHA-1',
  'SHA-256',
  'UTF-8',
  'S256',
  'ISO-8859-1',
  'F5',
  'F12',
  'C0',
  'P99',
  'ES2023',
  'X-01',
  'C-01f3',
  'RFC 9110',
  'EC2',
  '\\x1b[A-12',
])('does not treat %s as an ID', (text) => {
  expect(idsIn(`It reads ${text} here`)).toEqual([]);
});
