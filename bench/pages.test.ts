import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Figure } from './harness/figure.ts';
import { README_ROWS, replaceBlock, toPageTable, toReadmeTable } from './pages.ts';

const pageOf = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

const FIGURES = README_ROWS.map(
  ([, name]): Figure => ({
    name,
    value: 30.04,
    unit: 'ms',
    baseline: { name: 'node -e 0', value: 20 },
    target: { of: 'ratio', atMost: 2 },
  }),
);

test('every figure of the README is in the table of all figures', () => {
  const page = pageOf('../docs/benchmarks.md');
  for (const [, name] of README_ROWS) expect(page).toContain(`\n| ${name} | `);
});

test('a new run replaces the tables and keeps the text around them', () => {
  const readme = replaceBlock(pageOf('../README.md'), toReadmeTable(FIGURES));
  expect(readme).toContain('| spawn to first line | 30.04 ms | 1.50 × `node -e 0` | `bench cold-start` |');
  expect(readme).toContain('\n## Documentation\n');
  const page = replaceBlock(pageOf('../docs/benchmarks.md'), toPageTable(FIGURES));
  expect(page).toContain('| spawn to first line | 30.04 ms | 20.00 (node -e 0) | 1.50 × | ≤ 2 × | met |');
  expect(page).toContain('\n## Method\n');
});

test('a run without all benches does not replace the table of the README', () => {
  expect(() => toReadmeTable(FIGURES.slice(1))).toThrow('No figure "spawn to first line". Run all benches.');
});
