import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanText } from './clean-text.js';

test.each([
  ['a\r\nb\rc\n', 'a\nb\nc\n'],
  ['\u001b[1;31mred\u001b[0m', 'red'],
  ['\u001b]0;title\u0007x\u001b]8;;http://a\u001b\\link\u001b]8;;\u001b\\', 'xlink'],
  ['\u001bPq data\u001b\\x', 'x'],
  ['\u009b31mred', 'red'],
  ['\u001b(Bx\u001bcy', 'xy'],
  ['a\u0000b\u0008c\u007fd\u0085e\tf', 'abcde\tf'],
  ['\ud800x\u{10fc05}y', '\ufffdx\ufffdy'],
  ['👩‍👩‍👧 \ue0b0 \u202e', '👩‍👩‍👧 \ue0b0 \u202e'],
])('%j becomes %j', (text, clean) => {
  expect(cleanText(text)).toBe(clean);
});

test('removes control characters and keeps clean text unchanged', () => {
  const text = fc.string({
    unit: fc.constantFrom('\u001b', '[', ']', '3', 'm', ';', '\u0007', '\u009b', '\r', '\n', 'x', '\\'),
  });
  fc.assert(
    fc.property(text, (dirty) => {
      const clean = cleanText(dirty);
      expect(clean).not.toMatch(/[^\P{Cc}\n\t]/u);
      expect(cleanText(clean)).toBe(clean);
    }),
  );
});
