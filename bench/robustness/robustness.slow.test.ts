import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SCENARIOS } from './scenarios.ts';

const page = readFileSync(new URL('../../docs/robustness.md', import.meta.url), 'utf8');
const rows = [...page.matchAll(/^\| (?<question>.+?) \| (?<answer>yes|no) \|/gm)];

test('the page has a row for each scenario', () => {
  expect(rows.map(({ groups }) => groups?.['question'])).toEqual(SCENARIOS.map(({ question }) => question));
});

test.for(SCENARIOS.map(({ question }, index) => [question, index] as const))(
  '%s: what the page promises holds',
  { timeout: 120_000 },
  async ([, index]) => {
    const isPromised = rows[index]?.groups?.['answer'] === 'yes';
    const passed = await SCENARIOS[index]?.run(50);
    expect({ isPromised, holds: passed === true || !isPromised }).toEqual({ isPromised, holds: true });
  },
);
