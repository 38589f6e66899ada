import { verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { compileGlob, foldCase, literalText } from './compile-glob.js';

test.each([
  ['*.ts', 'a.ts', true],
  ['*.ts', 'sub/a.ts', false],
  ['**/*.ts', 'a.ts', true],
  ['**/*.ts', 'x/y/a.ts', true],
  ['src/**/a?.ts', 'src/a1.ts', true],
  ['src/**/a?.ts', 'src/x/y/ab.ts', true],
  ['src/**/a?.ts', 'src/x/a.ts', false],
  ['src/**', 'src/x/y', true],
  ['src/**', 'src', true],
  ['src/**', 'srcs', false],
  ['a/**/**', 'a', true],
  ['**/**/b', 'b', true],
  ['**', 'any/thing', true],
  ['a*b*c', 'aXbYc', true],
  ['a*b*c', 'aXbY', false],
  ['a**b', 'axb', true],
  ['a**b', 'a/b', false],
  ['?', '😀', true],
  ['?', '/', false],
  ['.*', '.env', true],
  ['*', '.env', true],
  ['./a//b/./c/', 'a/b/c', true],
])('wildcards: %s on %s is %s', (pattern, path, expected) => {
  expect(compileGlob(pattern)(path)).toBe(expected);
});

test.each([
  ['[a-c]x', 'bx', true],
  ['[!a-c]x', 'bx', false],
  ['[^a-c]x', 'dx', true],
  ['[]-]x', ']x', true],
  ['[a-]x', '-x', true],
  [String.raw`[\]]x`, ']x', true],
  ['[[:digit:]_]x', '7x', true],
  ['[[:digit:]_]x', '_x', true],
  ['[[:digit:]_]x', 'ax', false],
  ['[!a]', '/', false],
  ['[😀]', '😀', true],
  ['[ab', '[ab', true],
  // Names such as those of dynamic routes are not sets of characters.
  ['app/[id]/page.tsx', 'app/[id]/page.tsx', true],
  ['app/[...slug]/*', 'app/[...slug]/page.tsx', true],
])('sets: %s on %s is %s', (pattern, path, expected) => {
  expect(compileGlob(pattern)(path)).toBe(expected);
});

test.each([
  ['*.{ts,tsx}', 'a.tsx', true],
  ['*.{ts,tsx}', 'a.js', false],
  ['{src,test/{a,b}}/*.ts', 'test/b/x.ts', true],
  ['{src,test/{a,b}}/*.ts', 'test/c/x.ts', false],
  ['{src/**,README.md}', 'src/a/b', true],
  ['a{,b}', 'a', true],
  ['a{,b}', 'ab', true],
  ['v{1..3}', 'v2', true],
  ['v{8..11}', 'v10', true],
  ['v{8..11}', 'v1', false],
  ['{a..c}', 'b', true],
  ['{a}', '{a}', true],
  ['{a,b', '{a,b', true],
  ['{}', '{}', true],
])('braces: %s on %s is %s', (pattern, path, expected) => {
  expect(compileGlob(pattern)(path)).toBe(expected);
});

test.each([
  ['@(a|b).ts', 'b.ts', true],
  ['@(a|b).ts', 'c.ts', false],
  ['@(src/a|lib/**)/x', 'lib/y/z/x', true],
  ['?(a)b', 'b', true],
  ['?(a)b', 'ab', true],
  ['?(a)b', 'aab', false],
  ['*(a|b)', 'abba', true],
  ['*(a|b)c', 'c', true],
  ['+(a|b)c', 'c', false],
  ['+(ab)', 'abab', true],
  ['+(*(a)b)', 'aabab', true],
  ['!(a|b)', 'a', false],
  ['!(a|b)', 'c', true],
  ['!(a|b)', 'ab', true],
  ['!(a)/x', 'a/x', false],
  ['!(a)/x', 'ab/x', true],
  ['!(a)', 'b/c', false],
  ['!(*.d).ts', 'a.ts', true],
  ['!(*.d).ts', 'a.d.ts', false],
  ['!(src/**)', 'lib/a', true],
  ['!(src/**)', 'src/a', false],
  ['!(!(a))', 'a', true],
  ['@(a', '@(a', true],
  // Without a sign before them, parentheses are text.
  ['app/(group)/x', 'app/(group)/x', true],
  ['app/(group)/x', 'app/group/x', false],
  ['a|b', 'a|b', true],
])('groups: %s on %s is %s', (pattern, path, expected) => {
  expect(compileGlob(pattern)(path)).toBe(expected);
});

test.each([
  [String.raw`\*.ts`, '*.ts', true],
  [String.raw`\*.ts`, 'a.ts', false],
  [String.raw`\{a,b\}`, '{a,b}', true],
  [String.raw`@\(a\)`, '@(a)', true],
  ['a\\', 'a\\', true],
])('a backslash takes the next character literally: %s on %s is %s', (pattern, path, expected) => {
  expect(compileGlob(pattern)(path)).toBe(expected);
});

describe('options', () => {
  test.each([
    ['src/*.TS', 'SRC/a.ts', true],
    ['[A-C]x', 'bX', true],
    ['[[:lower:]]', 'A', true],
    ['Ä*', 'a\u0308b', true],
    ['οδος', 'ΟΔΟΣ', true],
    ['οδο*σ', 'οδος', true],
    ['stra?e', 'Straße', true],
    ['a', 'b', false],
  ])('ignoreCase: %s on %s is %s', (pattern, path, expected) => {
    expect(compileGlob(pattern, { ignoreCase: true })(foldCase(path))).toBe(expected);
  });

  test.each([
    ['src', 'src/a/b', true],
    ['src', 'srcs/a', false],
    ['*.d', 'x.d/a', true],
    ['!(a)', 'a/b', false],
    ['!(a)', 'b/c', true],
    ['src/a', 'src', false],
  ])('includeBelow: %s on %s is %s', (pattern, path, expected) => {
    expect(compileGlob(pattern, { includeBelow: true })(path)).toBe(expected);
  });

  test.each([
    ['*', '.env', false],
    ['?env', '.env', false],
    ['.*', '.env', true],
    ['**/a', '.x/a', false],
    ['**/a', 'x/a', true],
    ['a*', 'a.b', true],
  ])('without dotFiles: %s on %s is %s', (pattern, path, expected) => {
    expect(compileGlob(pattern, { dotFiles: false })(path)).toBe(expected);
  });
});

test('a pattern without wildcards has a literal text', () => {
  expect(literalText('src/(a)/b.ts')).toBe('src/(a)/b.ts');
  expect(literalText(String.raw`a\*b`)).toBe('a*b');
  expect(literalText('')).toBe('');
  for (const pattern of ['*', 'a?', '[a]', '{a,b}', '@(a)', '!(a)']) expect(literalText(pattern)).toBeUndefined();
});

test('patterns that would blow up a regular expression take no time', () => {
  verifies('F145');
  const name = 'a'.repeat(5000);
  expect(compileGlob(`${'*a'.repeat(400)}b`)(name)).toBe(false);
  expect(compileGlob(`${'*?'.repeat(400)}b`)(name)).toBe(false);
  expect(compileGlob(`${'**/'.repeat(300)}b`)(Array<string>(5000).fill('a').join('/'))).toBe(false);
  expect(compileGlob('{a,b}'.repeat(200))('a'.repeat(199))).toBe(false);
  const short = 'a'.repeat(255);
  expect(compileGlob(`${'*('.repeat(300)}a${')'.repeat(300)}b`)(short)).toBe(false);
  expect(compileGlob(`${'!(*'.repeat(200)}a${')'.repeat(200)}/b`)(short)).toBe(false);
  expect(compileGlob(`${'{'.repeat(500)}a${'@('.repeat(500)}`)(short)).toBe(false);
  expect(compileGlob('['.repeat(1000))(short)).toBe(false);
});
