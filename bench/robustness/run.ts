// node robustness/run.ts [--write] [--haste N]: runs each scenario against the built program and prints the table of
// docs/robustness.md. --haste divides the waits of the scenarios, for tests.
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { SCENARIOS } from './scenarios.ts';

const PAGE = new URL('../../docs/robustness.md', import.meta.url);

const { values } = parseArgs({
  options: { write: { type: 'boolean', default: false }, haste: { type: 'string', default: '1' } },
});
const rows: string[] = [];
const waiting = SCENARIOS.slice(0, 4).map(({ run }) => run(Number(values.haste)));
for (const [index, { question, others, run }] of SCENARIOS.entries()) {
  const passed = await (waiting[index] ?? run(Number(values.haste)));
  const [before, qwenCode, pi] = others;
  rows.push(`| ${question} | ${passed ? 'yes' : 'no'} | ${before} | ${qwenCode} | ${pi} |`);
  process.stderr.write(`${passed ? 'yes' : 'NO '}  ${question}\n`);
}
const table = ['| scenario | qwen | before | qwen-code | pi |', '|---|---|---|---|---|', ...rows].join('\n');
process.stdout.write(`${table}\n`);
if (values.write) {
  const page = await readFile(PAGE, 'utf8');
  const [head = '', tail = ''] = page.split(/(?<=<!-- table -->\n)[^]*(?=<!-- end of table -->)/);
  await writeFile(PAGE, `${head}\n${table}\n\n${tail}`);
}
