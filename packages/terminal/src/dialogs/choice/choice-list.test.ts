import { expect, test } from 'vitest';
import { byNumber, type Choice, chosen, filterChoices, moveBy, openList, visiblePart } from './choice-list.js';

const LINES: readonly Choice<string>[] = [
  { value: '', label: 'Fruit', isHeading: true },
  { value: 'a', label: 'apple' },
  { value: 'b', label: 'banana', detail: 'yellow' },
  { value: '', label: 'Others', isHeading: true },
  { value: 'c', label: 'chair' },
];

test('selects the requested line, or the first selectable one', () => {
  expect(chosen(openList(LINES))?.value).toBe('a');
  expect(chosen(openList(LINES, (value) => value === 'c'))?.value).toBe('c');
  expect(openList([]).index).toBe(-1);
  expect(chosen(openList([]))).toBeUndefined();
});

test('skips headings and wraps around', () => {
  const steps = (count: number) => chosen(moveBy(openList(LINES), count))?.value;
  expect([0, 1, 2, 3, -1, -4, 10].map(steps)).toEqual(['a', 'b', 'c', 'a', 'c', 'c', 'b']);
  expect(moveBy(openList<string>([]), 1).index).toBe(-1);
});

test('numbers only selectable lines', () => {
  expect([1, 2, 3, 4, 0].map((number) => byNumber(openList(LINES), number)?.value)).toEqual([
    'a',
    'b',
    'c',
    undefined,
    undefined,
  ]);
});

test('the visible part contains the selection and fills the rows', () => {
  const long = openList(Array.from({ length: 50 }, (_line, value) => ({ value, label: `line ${value}` })));
  for (const steps of [0, 1, 7, 25, 48, 49]) {
    const part = visiblePart(moveBy(long, steps), 5);
    expect(part.choices).toHaveLength(5);
    expect(part.choices.map(({ value }) => value)).toContain(steps);
    expect(part.choices[0]?.value).toBe(part.start);
  }
  expect(visiblePart(openList(LINES), 20)).toEqual({ start: 0, choices: LINES });
  expect(visiblePart(openList(LINES), 0).choices).toHaveLength(1);
});

test('filters by all typed words and drops empty headings', () => {
  const labels = (typed: string) => filterChoices(LINES, typed).map(({ label }) => label);
  expect(labels('AN')).toEqual(['Fruit', 'banana']);
  expect(labels('yel ban')).toEqual(['Fruit', 'banana']);
  expect(labels('zebra')).toEqual([]);
  expect(labels(' ')).toHaveLength(LINES.length);
});
