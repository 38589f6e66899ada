import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainText } from '../lines/styled-line.js';
import { widthOf } from '../lines/text-width.js';
import { type Atoms, NO_ATOMS, withAtom } from './atoms.js';
import type { Popup } from './completion.js';
import { composerLines } from './composer-lines.js';
import { type ComposerState, modeOf } from './composer-state.js';
import { bufferOf } from './text-buffer.js';

const added = withAtom(NO_ATOMS, {
  kind: 'image',
  number: 1,
  label: '[Image #1]',
  image: { type: 'image', source: { type: 'url', url: 'x' } },
});
const atoms: Atoms = added?.atoms ?? NO_ATOMS;

function stateOf(text: string, more: Partial<ComposerState> = {}): ComposerState {
  const buffer = bufferOf(text);
  return { buffer, atoms, mode: modeOf(buffer), isBusy: false, ...more };
}

function popupOf(count: number, more: Partial<Popup> = {}): Popup {
  return {
    context: { trigger: 'slash', text: '/', start: { line: 0, offset: 1 }, word: '' },
    suggestions: Array.from({ length: count }, (_, index) => ({
      label: `name${index}`,
      value: `name${index}`,
      description: 'What it is for,\nin a few words.',
    })),
    selected: 0,
    isChosen: false,
    isPerfectMatch: false,
    isLoading: false,
    ...more,
  };
}

function show(state: ComposerState, { columns = 30, rows = 8, isSpoken = false } = {}): string[] {
  return composerLines(state, { columns, rows, isSpoken, top: { line: 0, row: 0 } }).lines.map(plainText);
}

test('the prompt shows what the input is for', () => {
  expect(show(stateOf('fix it'))).toEqual(['─'.repeat(30), '> fix it', '─'.repeat(30)]);
  expect(show(stateOf('!ls'))).toEqual([`${'─'.repeat(14)} shell command ─`, '> !ls', '─'.repeat(30)]);
  expect(show(stateOf('# use tabs'))[0]).toContain('memory note');
  expect(show(stateOf(''))[1]).toBe('> Type a prompt, / for comman');
  expect(show(stateOf(`see ${added?.character ?? ''}`))[1]).toBe('> see [Image #1]');
});

test('completions use the remaining rows and show their count', () => {
  expect(show(stateOf('/', { popup: popupOf(2) }), { columns: 40 }).slice(3)).toEqual([
    '› name0  What it is for, in a few words.',
    '  name1  What it is for, in a few words.',
  ]);
  const many = show(stateOf('/', { popup: popupOf(30, { selected: 20 }) }), { columns: 40, rows: 9 });
  expect(many.slice(3).map((line) => line.trim().split(' ')[0])).toEqual([
    'name18',
    'name19',
    '›',
    'name21',
    'name22',
    '21',
  ]);
  expect(many.at(-1)).toBe('  21 of 30');
  expect(show(stateOf('@', { popup: popupOf(0, { isLoading: true }) })).at(-1)).toBe('  Looking…');
  expect(show(stateOf('@', { popup: popupOf(0, { message: 'gone\u001b[2J' }) })).at(-1)).toBe('  gone\\u001b[2J');
});

test('a history search shows the query and the matching line', () => {
  const search = { records: [{ at: '', text: 'one\nrun the tests\nthree' }], query: 'tests', index: 0 };
  expect(show(stateOf('draft', { search }))).toEqual([
    '─'.repeat(30),
    'search history: tests',
    '  run the tests',
    '  three',
    '─'.repeat(30),
  ]);
  expect(show(stateOf('draft', { search: { records: [], query: 'x' } }))[1]).toBe('search history: x  nothing fo…');
});

test('never exceeds its area and keeps the cursor inside', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', ' ', '\n', '你', '👩‍👩‍👧', added?.character ?? '', '\t', '!'),
    maxLength: 200,
  });
  const more = fc.oneof(
    fc.constant({}),
    fc.integer({ min: 0, max: 40 }).map((count) => ({ popup: popupOf(count, { selected: Math.max(count - 1, 0) }) })),
    fc.constant({ notice: 'Something went wrong, and this is a long sentence about it.' }),
    fc.constant({ search: { records: [{ at: '', text: 'one two\nthree' }], query: 't', index: 0 } }),
  );
  const size = fc.record({
    columns: fc.integer({ min: 8, max: 60 }),
    rows: fc.integer({ min: 1, max: 20 }),
    isSpoken: fc.boolean(),
  });
  fc.assert(
    fc.property(text, more, size, (typed, shown, { columns, rows, isSpoken }) => {
      const picture = composerLines(stateOf(typed, shown), { columns, rows, isSpoken, top: { line: 0, row: 0 } });
      expect(picture.lines.length).toBeLessThanOrEqual(rows);
      for (const line of picture.lines) expect(widthOf(plainText(line))).toBeLessThanOrEqual(columns);
      expect(picture.cursor.row).toBeLessThan(picture.lines.length);
      expect(picture.cursor.column).toBeLessThan(columns);
    }),
  );
});
