import { verifies } from '@qwen/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toHarmless, toShown, toShownInOne, toShownLines } from './shown-text.js';

test('escapes control, invisible and bidirectional characters', () => {
  verifies('S25');
  expect(toShown('a\u001b[2Jb\u009b1mc\u202ed\u200be\u0000f')).toBe('a\\u001b[2Jb\\u009b1mc\\u202ed\\u200be\\u0000f');
  expect(toShown('pay\rno')).toBe('pay\\u000dno');
  expect(toShown('half \ud83d')).toBe('half \\ud83d');
});

test('keeps joiners in scripts and emoji and escapes them elsewhere', () => {
  expect(toShown('👩\u200d👩\u200d👧 می\u200cخواهم')).toBe('👩\u200d👩\u200d👧 می\u200cخواهم');
  expect(toShown('ad\u200cmin')).toBe('ad\\u200cmin');
});

test('expands tabs to four columns', () => {
  expect(toShown('\ta\tb')).toBe('    a   b');
  expect(toShown('日本\tx')).toBe('日本    x');
});

test('splits lines at LF and CRLF', () => {
  expect(toShownLines('a\r\nb\n')).toEqual(['a', 'b', '']);
  expect(toShownInOne('  a\n   b\r\nc ')).toBe('a b c');
});

test('escaping is idempotent', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shown = toShown(text);
      expect(toShown(shown)).toBe(shown);
      expect(toHarmless(shown)).toBe(shown);
      expect(shown).not.toMatch(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\u2028\u2029]/u);
    }),
  );
});
