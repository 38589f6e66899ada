import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { compileFileFilter, compileGlob, splitGlob } from './glob-pattern.js';

const matches = (pattern: string, path: string) => compileGlob(pattern)(path.split('/'));

// The syntax itself is tested in @qwen/agent.
test.each([
  ['src/**/a?.ts', 'src/x/y/ab.ts', true],
  ['*.{ts,tsx}', 'a.tsx', true],
  ['@(a|b).ts', 'b.ts', true],
  ['!(a|b).ts', 'b.ts', false],
  ['app/[id]/page.tsx', 'app/[id]/page.tsx', true],
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
  ['!(a).ts', 'x/a.ts', false],
  ['!(a).ts', 'x/b.ts', true],
])('as a file filter %s on %s is %s', (pattern, path, expected) => {
  expect(compileFileFilter(pattern)(path.split('/'))).toBe(expected);
});

test.each([
  ['src/**/*.ts', 'src', '**/*.ts'],
  ['a.ts', '', 'a.ts'],
  ['../x/*', '../x', '*'],
  ['/etc/*', '/etc', '*'],
  ['/*', '/', '*'],
  ['{a,b}/c', '', '{a,b}/c'],
  ['x/@(a|b)/c', 'x', '@(a|b)/c'],
  ['app/(group)/*', 'app/(group)', '*'],
])('%s starts in "%s" and continues with %s', (pattern, folder, rest) => {
  verifies('S44');
  expect(splitGlob(pattern)).toEqual({ folder, rest });
});

test.each(['*/../../etc', '{../..,x}/*', '**/..', '@(..|x)/*'])('%s leaves the folder and is refused', (pattern) => {
  verifies('S44');
  expect(() => compileGlob(pattern)).toThrow(expect.objectContaining({ code: 'invalid_tool_input' }));
});

test('patterns that would blow up a regular expression take no time', () => {
  verifies('F145');
  expect(compileGlob(`${'*a'.repeat(400)}b`)(['a'.repeat(5000)])).toBe(false);
});

test('a pattern that is too long is refused', () => {
  expect(() => compileGlob('a'.repeat(1025))).toThrow(expect.objectContaining({ code: 'invalid_tool_input' }));
});
