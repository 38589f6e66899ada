import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { compileFileFilter, compileGlob, splitGlob } from './glob-pattern.js';

const matches = (pattern: string, path: string) => compileGlob(pattern)(path.split('/'));

test.each([
  ['*.ts', 'a.ts', true],
  ['*.ts', 'sub/a.ts', false],
  ['**/*.ts', 'a.ts', true],
  ['**/*.ts', 'x/y/a.ts', true],
  ['src/**/a?.ts', 'src/a1.ts', true],
  ['src/**/a?.ts', 'src/x/y/ab.ts', true],
  ['src/**/a?.ts', 'src/x/a.ts', false],
  ['src/**', 'src/x/y', true],
  ['**', 'any/thing', true],
  ['a*b*c', 'aXbYc', true],
  ['a*b*c', 'aXbY', false],
  ['*.{ts,tsx}', 'a.tsx', true],
  ['*.{ts,tsx}', 'a.js', false],
  ['{src,test/{a,b}}/*.ts', 'test/b/x.ts', true],
  ['{src,test/{a,b}}/*.ts', 'test/c/x.ts', false],
  ['[a-c]x', 'bx', true],
  ['[!a-c]x', 'bx', false],
  ['[]-]x', ']x', true],
  ['[ab', '[ab', true],
  [String.raw`\*.ts`, '*.ts', true],
  [String.raw`\*.ts`, 'a.ts', false],
  ['{a}', '{a}', true],
  ['?', '😀', true],
  ['.*', '.env', true],
  ['*', '.env', true],
])('%s on %s is %s', (pattern, path, expected) => {
  expect(matches(pattern, path)).toBe(expected);
});

test.each([
  ['*.ts', 'deep/down/a.ts', true],
  ['src/*.ts', 'src/a.ts', true],
  ['src/*.ts', 'x/src/a.ts', false],
  ['!*.test.ts', 'a.ts', true],
  ['!*.test.ts', 'x/a.test.ts', false],
])('as a filter of files %s on %s is %s', (pattern, path, expected) => {
  expect(compileFileFilter(pattern)(path.split('/'))).toBe(expected);
});

test.each([
  ['src/**/*.ts', 'src', '**/*.ts'],
  ['a.ts', '', 'a.ts'],
  ['../x/*', '../x', '*'],
  ['/etc/*', '/etc', '*'],
  ['/*', '/', '*'],
  ['{a,b}/c', '', '{a,b}/c'],
])('%s starts in "%s" and goes on with %s', (pattern, folder, rest) => {
  verifies('S44');
  expect(splitGlob(pattern)).toEqual({ folder, rest });
});

test.each(['*/../../etc', '{../..,x}/*', '**/..'])('%s climbs out and is refused', (pattern) => {
  verifies('S44');
  expect(() => compileGlob(pattern)).toThrow(expect.objectContaining({ code: 'invalid_tool_input' }));
});

test('patterns that blow up a regular expression take no time', () => {
  verifies('F145');
  const name = 'a'.repeat(5000);
  expect(compileGlob(`${'*a'.repeat(400)}b`)([name])).toBe(false);
  expect(compileGlob(`${'**/'.repeat(300)}b`)(Array<string>(5000).fill('a'))).toBe(false);
});

test('braces that stand for too many patterns are refused', () => {
  expect(() => compileGlob('{a,b}'.repeat(20))).toThrow(expect.objectContaining({ code: 'invalid_tool_input' }));
});
