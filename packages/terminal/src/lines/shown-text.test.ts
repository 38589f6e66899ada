import { verifies } from '@qwen/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toHarmless, toShown, toShownInOne, toShownLines } from './shown-text.js';

test('what a terminal obeys, hides or turns around is written out', () => {
  verifies('S25');
  expect(toShown('a\u001b[2Jb\u009b1mc\u202ed\u200be\u0000f')).toBe('a\\u001b[2Jb\\u009b1mc\\u202ed\\u200be\\u0000f');
  expect(toShown('pay\rno')).toBe('pay\\u000dno');
  expect(toShown('half \ud83d')).toBe('half \\ud83d');
});

test('scripts and pictures that need a joiner keep it; between letters that need none it is written out', () => {
  expect(toShown('👩\u200d👩\u200d👧 می\u200cخواهم')).toBe('👩\u200d👩\u200d👧 می\u200cخواهم');
  expect(toShown('ad\u200cmin')).toBe('ad\\u200cmin');
});

test('a tab goes to the next place of four columns', () => {
  expect(toShown('\ta\tb')).toBe('    a   b');
  expect(toShown('日本\tx')).toBe('日本    x');
});

test('lines end with a line feed, with or without carriage returns before it', () => {
  expect(toShownLines('a\r\nb\n')).toEqual(['a', 'b', '']);
  expect(toShownInOne('  a\n   b\r\nc ')).toBe('a b c');
});

test('what was shown stays as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shown = toShown(text);
      expect(toShown(shown)).toBe(shown);
      expect(toHarmless(shown)).toBe(shown);
      expect(shown).not.toMatch(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\u2028\u2029]/u);
    }),
  );
});
