import { verifies } from '@qwen/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toTerminalText } from './terminal-text.js';

test('nothing of the text steers the terminal, and what would is shown', () => {
  verifies('S25');
  expect(toTerminalText('a\u001b[2Jb\u0007\u009b1m\u0000')).toBe(String.raw`a\u001b[2Jb\u0007\u009b1m\u0000`);
  expect(toTerminalText('safe\rrm -rf /\r\n\tend')).toBe('saferm -rf /\n\tend');
});

test('other text stays as it is: emoji with joiners, wide characters, right-to-left', () => {
  const text = '👨‍👩‍👧 日本 größe שלום \u200f \u2028';
  expect(toTerminalText(text)).toBe(text);
});

test('pieces and whole give the same', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (pieces) => {
      expect(pieces.map(toTerminalText).join('')).toBe(toTerminalText(pieces.join('')));
    }),
  );
});
