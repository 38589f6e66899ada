// node write-docs.ts FIGURES.jsonl: writes the output of `run.ts --json` into docs/benchmarks.md and README.md.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { figureSchema } from './harness/figure.ts';
import { describeMachine } from './harness/table.ts';
import { replaceBlock, toPageTable, toReadmeTable } from './pages.ts';

const { positionals } = parseArgs({ allowPositionals: true });
const [file] = positionals;
if (file === undefined) throw new Error('Usage: node write-docs.ts FIGURES.jsonl');
const lines = readFileSync(file, 'utf8').trim().split('\n');
const figures = lines.map((line) => figureSchema.parse(JSON.parse(line)));
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
const run = `${new Date().toISOString().slice(0, 10)}, commit \`${commit}\`. ${describeMachine()}.`;

const tables = [
  ['../docs/benchmarks.md', toPageTable(figures)],
  ['../README.md', toReadmeTable(figures)],
] as const;

for (const [path, table] of tables) {
  const url = new URL(path, import.meta.url);
  writeFileSync(url, replaceBlock(readFileSync(url, 'utf8'), `${run}\n\n${table}`));
}
