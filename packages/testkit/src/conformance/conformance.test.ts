import { expect, test } from 'vitest';
import { toMarkdown, toSummary, toTotalLine } from './report.js';
import { parseRequirements } from './requirements.js';
import { tally } from './tally.js';

const FILE = JSON.stringify({
  groups: [
    {
      id: 'A',
      title: 'Flags | modes',
      rows: [
        { id: 'A-01', title: 'first', state: 'open' },
        { id: 'A-02', title: 'second', state: 'open' },
        { id: 'A-03', title: 'third', state: 'deferred', issue: 3 },
        { id: 'A-04', title: 'fourth', state: 'open', reason: 'another | way' },
      ],
    },
  ],
});

const CLAIMS = [
  { ids: ['A-02', 'A-01', 'A-01'], test: 'b.test.ts › b', passed: true },
  { ids: ['A-02'], test: 'a.test.ts › a', passed: false },
  { ids: ['Z-99'], test: 'a.test.ts › z', passed: true },
];

test('a row is verified only if every test that claims it passed', () => {
  const { groups, unknown } = tally(parseRequirements(FILE), CLAIMS);
  expect(groups[0]?.rows).toEqual([
    { id: 'A-01', title: 'first', state: 'verified', tests: ['b.test.ts › b'] },
    { id: 'A-02', title: 'second', state: 'failing', tests: ['a.test.ts › a', 'b.test.ts › b'] },
    { id: 'A-03', title: 'third', state: 'open', deferredTo: 3, tests: [] },
    { id: 'A-04', title: 'fourth', state: 'open', reason: 'another | way', tests: [] },
  ]);
  expect(unknown).toEqual(['Z-99 (a.test.ts › z)']);
});

test('the page does not depend on the order of the tests', () => {
  const page = toMarkdown(tally(parseRequirements(FILE), CLAIMS));
  expect(toMarkdown(tally(parseRequirements(FILE), CLAIMS.toReversed()))).toBe(page);
  expect(page).toContain('| A | Flags \\| modes | 1 | 1 | 1 | 1 |');
  expect(page).toContain('| A-01 | first | verified | b.test.ts › b |');
  expect(page).toContain('| A-02 | second | failing | a.test.ts › a<br>b.test.ts › b |');
  expect(page).toContain('| A-03 | third | issue 3 |  |');
  expect(page).toContain('| A-04 | fourth | open | another \\| way |');
});

test('prints one line per group and a total', () => {
  const result = tally(parseRequirements(FILE), CLAIMS);
  expect(toSummary(result)).toBe('A             1/4  Flags | modes, 1 FAILING');
  expect(toTotalLine(result)).toBe('conformance: 1 of 4 rows verified, 1 failing');
});

test.each([
  [
    'occurs twice',
    [
      { id: 'A-01', title: 'x', state: 'open' },
      { id: 'A-01', title: 'y', state: 'open' },
    ],
  ],
  ['longer than 80', [{ id: 'A-01', title: 'x'.repeat(81), state: 'open' }]],
  ['neither open nor deferred', [{ id: 'A-01', title: 'x', state: 'done' }]],
  ['neither open nor deferred', [{ id: 'A-01', title: 'x', state: 'deferred' }]],
  ['is not text', [{ title: 'x', state: 'open' }]],
])('a file in which a row %s is refused', (complaint, rows) => {
  expect(() => parseRequirements(JSON.stringify({ groups: [{ id: 'A', title: 'a', rows }] }))).toThrow(complaint);
});
