import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { toVisible, toVisibleLine, toVisibleLines } from './visible-text.js';

test('what a terminal would not show is written out, all else stays', () => {
  verifies('S25');
  expect(toVisible('rm -rf y\u001b[2K\recho ok')).toBe(String.raw`rm -rf y\u001b[2K\u000decho ok`);
  expect(toVisible('a\u202eb\u2066c\u200bd\u2028e\tf\ng')).toBe(
    String.raw`a\u202eb\u2066c\u200bd\u2028e\u0009f\u000ag`,
  );
  expect(toVisible('\u{e0041}')).toBe(String.raw`\udb40\udc41`);
  expect(toVisible('grep "größe" 日本 😀')).toBe('grep "größe" 日本 😀');
  expect(toVisibleLines('a\r\nb\u001b')).toBe('a\\u000d\nb\\u001b');
});

test('what is cut is marked with how much is missing, and no character is cut in half', () => {
  verifies('S25');
  expect(toVisibleLine(`echo ${' '.repeat(5000)}; rm y`, 20)).toBe(`echo ${' '.repeat(15)}… (4991 characters more)`);
  expect(toVisibleLine('abc😀', 4)).toBe('abc… (2 characters more)');
  expect(toVisibleLine('abcd', 4)).toBe('abcd');
});
