import { verifies } from '@qwen/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { paint } from './ansi.js';
import { readStyledText, StyledReader } from './styled-text.js';

test('colours are stored separately from the text, with offsets in UTF-16 units', () => {
  verifies('D-12', 'D-14', 'GAP-20');
  const printed = '😀\u001b[1;38;5;9mred\u001b[0m plain';
  const { text, ansi } = readStyledText(printed);
  expect(text).toBe('😀red plain');
  expect(ansi).toEqual([
    { offset: 2, sequence: '\u001b[1;38;5;9m' },
    { offset: 5, sequence: '\u001b[0m' },
  ]);
  expect(paint(text, ansi)).toBe(printed);
});

test.each([
  ['\u001b[2J\u001b[1;1Hx', 'x'],
  ['\u001b[?2004hx', 'x'],
  ['\u001b]0;title\u0007x', 'x'],
  ['\u001b]8;;https://a.example\u001b\\link\u001b]8;;\u001b\\', 'link'],
  ['\u001bPdata\u001b\\x', 'x'],
  ['\u001b(B\u001b7x', 'x'],
  ['a\rb\r\nc\r', 'a\nb\nc\n'],
  ['\u0007\u009b2J', String.raw`\u0007\u009b2J`],
  ['cut\u001b[3', String.raw`cut\u001b[3`],
])('other sequences in %j are removed', (printed, text) => {
  verifies('S25');
  expect(readStyledText(printed)).toEqual({ text, ansi: [] });
});

test('open colours end with the text', () => {
  expect(readStyledText('\u001b[31mred').ansi).toEqual([
    { offset: 0, sequence: '\u001b[31m' },
    { offset: 3, sequence: '\u001b[0m' },
  ]);
});

test('an incomplete sequence is not buffered forever', () => {
  const reader = new StyledReader();
  const pieces = ['\u001b]0;', ...Array.from({ length: 6 }, () => 'x'.repeat(1_000))];
  const taken = pieces.map((piece) => reader.take(piece).text);
  expect(taken.slice(0, 4).join('')).toBe('');
  expect(taken.join('')).toBe(`${String.raw`\u001b]0;`}${'x'.repeat(6_000)}`);
});

test('chunks return the same as the complete text', () => {
  const unit = fc.constantFrom('\u001b', '[', '3', '1', 'm', ']', '\u0007', '\\', '\r', '\n', 'x', '😀');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 40 }), fc.nat(40), (printed, place) => {
      const reader = new StyledReader();
      const pieces = [reader.take(printed.slice(0, place)), reader.take(printed.slice(place)), reader.end()];
      const whole = readStyledText(printed);
      expect(pieces.map(({ text }) => text).join('')).toBe(whole.text);
      expect(pieces.flatMap(({ ansi }) => ansi.map(({ sequence }) => sequence))).toEqual(
        whole.ansi.map(({ sequence }) => sequence),
      );
    }),
    { numRuns: 500, examples: [['x\r\r\n', 3]] },
  );
});
