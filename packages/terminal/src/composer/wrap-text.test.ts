import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { widthOf } from '../lines/text-width.js';
import { type Atoms, NO_ATOMS, withAtom } from './atoms.js';
import { toBorder } from './grapheme-borders.js';
import { bufferOf, withCursor } from './text-buffer.js';
import { visibleRows } from './visible-rows.js';
import { shownRun, wrapText } from './wrap-text.js';

const paste = withAtom(NO_ATOMS, { kind: 'paste', number: 1, label: '[Pasted text #1 +20 lines]', text: 'x' });
const atoms: Atoms = paste?.atoms ?? NO_ATOMS;
const ATOM = paste?.character ?? '';

function rowsOf(line: string, columns: number): string[] {
  return wrapText(line, { columns, atoms }).map((row) => shownRun(line, row, { columns, atoms }).text);
}

test('breaks after blanks, or inside words wider than the screen', () => {
  expect(rowsOf('', 10)).toEqual(['']);
  expect(rowsOf('the quick brown fox', 10)).toEqual(['the quick ', 'brown fox']);
  expect(rowsOf('long words that wrap', 10)).toEqual(['long words ', 'that wrap']);
  expect(rowsOf('long words ', 10)).toEqual(['long words ', '']);
  expect(rowsOf('abcdefghijklm', 5)).toEqual(['abcde', 'fghij', 'klm']);
  expect(rowsOf('ab 你好世界', 6)).toEqual(['ab 你', '好世界']);
  expect(rowsOf('a\tb', 10)).toEqual(['a    b']);
  expect(rowsOf(`see ${ATOM} now`, 40)).toEqual(['see [Pasted text #1 +20 lines] now']);
  expect(rowsOf(ATOM, 8)).toEqual(['[Pasted ']);
});

test('shows invisible characters by code point', () => {
  expect(rowsOf('a\u202eb\u{e0061}c', 40)).toEqual(['a\\u202eb\\udb40\\udc61c']);
});

const line = fc.string({
  unit: fc.constantFrom('a', 'b', ' ', ' ', '\t', '你', '👩‍👩‍👧', '\u0301', '🇩', '🇪', ATOM, '\u202e'),
  maxLength: 60,
});

test('loses no character, breaks between graphemes, and never exceeds the width', () => {
  fc.assert(
    fc.property(line, fc.integer({ min: 4, max: 30 }), (text, columns) => {
      const layout = { columns, atoms };
      const rows = wrapText(text, layout);
      expect(rows.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text);
      for (const row of rows) {
        expect([toBorder(text, row.start), toBorder(text, row.end)]).toEqual([row.start, row.end]);
        const { width, text: shown } = shownRun(text, row, layout);
        expect(width).toBe(widthOf(shown));
        // A character that is shown by its number may be wider than a narrow screen.
        if (columns >= 6) expect(widthOf(shown.replace(/ $/, ''))).toBeLessThanOrEqual(columns);
        expect(width).toBeLessThanOrEqual(Math.max(columns, 6) + 1);
      }
    }),
  );
});

test('keeps the cursor visible, respects the height, and scrolls minimally', () => {
  const text = fc.array(line, { minLength: 1, maxLength: 12 }).map((lines) => bufferOf(lines.join('\n')));
  const place = fc.record({
    line: fc.nat(11),
    offset: fc.nat(60),
    row: fc.nat(5),
    height: fc.integer({ min: 1, max: 6 }),
  });
  fc.assert(
    fc.property(text, place, place, (buffer, first, second) => {
      const layout = { columns: 12, atoms };
      let top = { line: first.line, row: first.row };
      for (const { line: wanted, offset, height } of [first, second]) {
        const at = Math.min(wanted, buffer.lines.length - 1);
        const cursor = { line: at, offset: toBorder(buffer.lines[at] ?? '', offset) };
        const window = visibleRows(withCursor(buffer, cursor), { layout, height, top });
        expect(window.rows.length).toBeLessThanOrEqual(height);
        expect(window.rows.length).toBeGreaterThan(window.cursor.row);
        expect(window.cursor.column).toBeLessThanOrEqual(layout.columns);
        const all = buffer.lines.flatMap((one) => wrapText(one, layout));
        if (all.length >= height) expect(window.rows).toHaveLength(height);
        const again = visibleRows(withCursor(buffer, cursor), { layout, height, top: window.top });
        expect(again).toEqual(window);
        top = window.top;
      }
    }),
  );
});

test('measures only the visible part of a long text', () => {
  const buffer = bufferOf(Array.from({ length: 50_000 }, (_, index) => `line ${index}`).join('\n'));
  const lines = new Proxy(buffer.lines, {
    get: (target, key) => {
      if (typeof key === 'string' && /^\d+$/.test(key)) looked.add(Number(key));
      return Reflect.get(target, key) as unknown;
    },
  });
  const looked = new Set<number>();
  const window = visibleRows(
    { lines, cursor: { line: 30_000, offset: 3 } },
    { layout: { columns: 40, atoms }, height: 10, top: { line: 0, row: 0 } },
  );
  expect(window).toMatchObject({ cursor: { row: 9, column: 3 }, hasMoreAbove: true, hasMoreBelow: true });
  expect(looked.size).toBeLessThan(40);
});
