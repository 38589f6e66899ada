import { verifies } from '@qwen/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  escapeHidden,
  hasHidden,
  removeHidden,
  TerminalTextStream,
  toOneLine,
  toTerminalText,
} from './hidden-characters.js';

const HIDDEN = [
  ['control characters', '\u0000\u0007\u001b\u007f\u0085\u009b'],
  ['changes of direction', '\u061c\u200e\u200f\u202a\u202e\u2066\u2069'],
  ['zero-width characters', '\u200b\u2060\ufeff\u00ad\u034f\u115f\u3164'],
  ['line separators', '\u2028\u2029'],
  ['tags', '\u{e0041}\u{e007f}'],
  ['selectors and joiners that change nothing', 'x\ufe0f\ufe0fx\u200dx\u200cx\u{e0100}'],
] as const;

/** Emoji of several characters, scripts that need joiners, right-to-left text, variants of ideographs. */
const VISIBLE = '👨‍👩‍👧 ❤️‍🔥 ☎️ 1️⃣ 👍🏽 می\u200cخواهم क्\u200dष שלום größe 日本 葛\u{e0100} e\u0301 ᠠ\u180b';

describe.each(HIDDEN)('%s', (_, characters) => {
  test('are escaped, removed or replaced', () => {
    verifies('S25', 'S92');
    const bare = new Set(characters.replaceAll('x', ''));
    for (const shown of [escapeHidden(characters), removeHidden(characters), toOneLine(characters)]) {
      for (const character of bare) expect(shown).not.toContain(character);
    }
    expect(hasHidden(characters)).toBe(true);
  });
});

test('visible characters stay', () => {
  expect(escapeHidden(VISIBLE)).toBe(VISIBLE);
  expect(removeHidden(VISIBLE)).toBe(VISIBLE);
  expect(toOneLine(VISIBLE)).toBe(VISIBLE);
  expect(hasHidden(VISIBLE)).toBe(false);
});

test('characters are escaped as UTF-16 units', () => {
  expect(escapeHidden('rm -rf y\u001b[2K\recho ok')).toBe(String.raw`rm -rf y\u001b[2K\u000decho ok`);
  expect(escapeHidden('e\tf\ng\u{e0041}')).toBe(String.raw`e\u0009f\u000ag\udb40\udc41`);
  expect(escapeHidden('half \ud83d')).toBe(String.raw`half \ud83d`);
});

test('line feeds and tabs stay where the text has lines', () => {
  expect(escapeHidden('a\r\nb\t\u001b', { keepLines: true })).toBe('a\\u000d\nb\t\\u001b');
  expect(removeHidden('a\r\nb\rc\u2028d\te')).toBe('a\nb\nc\nd\te');
  expect(toOneLine(' a\n\n b\u001b[2Jc ')).toBe('a b [2Jc');
});

test('a cut text states how much is missing, and no character is cut in half', () => {
  verifies('S25');
  const cut = (text: string, maxLength: number) => escapeHidden(text, { maxLength });
  expect(cut(`echo ${' '.repeat(5000)}; rm y`, 20)).toBe(`echo ${' '.repeat(15)}… (4991 more characters)`);
  expect(cut('abc😀', 4)).toBe('abc… (2 more characters)');
  expect(cut('abcd', 4)).toBe('abcd');
});

test('escaped text stays unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, keepLines) => {
      const escaped = escapeHidden(text, { keepLines });
      expect(escapeHidden(escaped, { keepLines })).toBe(escaped);
      expect(escapeHidden(escaped, { keepLines, isPart: true })).toBe(escaped);
    }),
  );
});

test('terminal text contains no control sequence, and chunks return the same as the complete text', () => {
  verifies('S25');
  expect(toTerminalText('a\u001b[2Jb\u0007\u009b1m\u0000')).toBe(String.raw`a\u001b[2Jb\u0007\u009b1m\u0000`);
  expect(toTerminalText('safe\rrm -rf /\r\n\tend')).toBe('saferm -rf /\n\tend');
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (parts) => {
      expect(parts.map(toTerminalText).join('')).toBe(toTerminalText(parts.join('')));
    }),
  );
});

test('a terminal stream shows each chunk as in the complete text', () => {
  verifies('S25');
  const shown = (parts: readonly string[]) => {
    const stream = new TerminalTextStream();
    return parts.map((part) => stream.push(part)).join('') + stream.flush();
  };
  expect(shown(['a\u200d', 'b \u200c', 'c'])).toBe(String.raw`a\u200db \u200cc`);
  expect(shown(['\ud83d', '\udc69\u200d', '\ud83d', '\udcbb ❤', '\ufe0f'])).toBe('👩\u200d💻 ❤\ufe0f');
  const character = fc.constantFrom(...'ab 👩💻❤क्\u200c\u200d\ufe0f\u202e\u001b\u200b\n\t\r');
  fc.assert(
    fc.property(fc.array(fc.string({ unit: character })), (parts) => {
      expect(shown(parts)).toBe(escapeHidden(parts.join('').replaceAll('\r', ''), { keepLines: true }));
    }),
    { numRuns: 2000 },
  );
});
