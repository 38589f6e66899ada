import { expect, test } from 'vitest';
import { createPathPattern } from './path-pattern.js';

const ANCHORS = { root: '/w', realRoot: '/real/w', home: '/home/u' };

const covers = (specifier: string, path: string) =>
  createPathPattern(specifier, ANCHORS).covers({ path, realPath: path.replace(/^\/w/, '/real/w'), insideRoots: true });
const touches = (specifier: string, path: string) =>
  createPathPattern(specifier, ANCHORS).touches({ path, realPath: path.replace(/^\/w/, '/real/w'), insideRoots: true });

test.each([
  ['/src/**', '/w/src/a.ts', true],
  ['/src/**', '/w/src', true],
  ['/src/**', '/w/lib/a.ts', false],
  ['/src', '/w/src/a/b.ts', true],
  ['/src/', '/w/src/a.ts', true],
  ['src/*.ts', '/w/src/a.ts', true],
  ['src/*.ts', '/w/x/src/a.ts', false],
  ['*.ts', '/w/x/y/a.ts', true],
  ['.env', '/w/x/.env', true],
  ['//etc/hosts', '/etc/hosts', true],
  ['~/x', '/home/u/x/y', true],
  ['/**', '/w/a', true],
  ['/**', '/w', false],
  ['/**', '/x', false],
  ['/@(src|lib)/*', '/w/lib/a.ts', true],
  ['/!(src)/**', '/w/src/a.ts', false],
  ['/!(src)/**', '/w/lib/a.ts', true],
  ['/app/(group)/[id]/**', '/w/app/(group)/[id]/page.tsx', true],
  ['!src/**', '/w/src/a.ts', false],
  ['!src/**', '/w/lib/a.ts', true],
  ['!!src/**', '/w/lib/a.ts', false],
  ['/', '/w/a', true],
  ['//', '/etc/hosts', true],
])('%s and %s: %s, to allow and to forbid', (specifier, path, expected) => {
  expect(covers(specifier, path)).toBe(expected);
  expect(touches(specifier, path)).toBe(expected);
});

test.each([
  ['/SRC/*.ts', '/w/src/A.TS'],
  ['[A-C].txt', '/w/x/b.txt'],
  // Earlier versions read these as groups, quantifiers and sets.
  ['/(src|lib)/x', '/w/lib/x'],
  ['a(b|c).txt', '/w/x/ac.txt'],
  ['[ab]+.env', '/w/abba.env'],
  ['(ab)+.env', '/w/abab.env'],
  ['[!a].txt', '/w/a.txt'],
  ['/@(x|(y|z)).txt', '/w/z.txt'],
])('a rule that forbids %s touches %s; to allow it is not enough', (specifier, path) => {
  expect(touches(specifier, path)).toBe(true);
  expect(covers(specifier, path)).toBe(false);
});

test.each([
  ['.env', '/w/*', false],
  ['.env', '/w/.*', true],
  ['.env', '/w/.e*v', true],
  ['.env', '/w/[.]env', true],
  ['.env', '/w/.ENV*', true],
  ['.env', '/w/a*', false],
  ['/src/key', '/w/*/k?y', true],
  ['/src/key', '/real/w/src/*', true],
  ['/src/key', '/w/lib/*', false],
  ['*.key', '/w/lib/*', true],
  ['.env', `/w/${'a'.repeat(600)}*`, true],
])('a rule for %s may match the shell pattern %s: %s', (specifier, pattern, expected) => {
  expect(createPathPattern(specifier, ANCHORS).mayTouch(pattern)).toBe(expected);
});

test.each([
  ['/.git/hooks/x', true],
  ['/app/(group)/x', true],
  ['/.git/hooks/*', false],
  ['x', false],
])('%s names one file: %s', (specifier, expected) => {
  expect(createPathPattern(specifier, ANCHORS).isExact).toBe(expected);
});

test('patterns that would blow up a regular expression take no time', () => {
  const path = { path: '/w/x', realPath: `/real/w/${'a'.repeat(255)}`, insideRoots: true };
  expect(createPathPattern(`${'*?'.repeat(100)}b`, ANCHORS).touches(path)).toBe(false);
  expect(createPathPattern('/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab', ANCHORS).mayTouch(`/w/${'*?'.repeat(100)}c`)).toBe(
    false,
  );
});

test.each(['/log{1..5000}', '/log{1..10..2}', '*.{a..zz}'])(
  'a range that cannot be expanded is refused: %s',
  (text) => {
    expect(() => createPathPattern(text, ANCHORS)).toThrow(expect.objectContaining({ code: 'usage' }));
  },
);

test('an escaped brace is text', () => {
  expect(touches(String.raw`/log\{1..5000}`, '/w/log{1..5000}')).toBe(true);
});
