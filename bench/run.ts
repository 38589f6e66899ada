// node run.ts <bench>|all [--quick] [--json]: measures and prints. Never fails on a slow machine.
import { parseArgs } from 'node:util';
import { BENCHES } from './figures/index.ts';
import type { Figure } from './harness/figure.ts';
import { describeMachine, toJsonLine, toTable } from './harness/table.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
});
const [wanted = 'all'] = positionals;
const names = wanted === 'all' ? Object.keys(BENCHES) : [wanted];
const print = (text: string) => process.stdout.write(`${text}\n`);

if (!values.json) print(`${describeMachine()}${values.quick ? ' (--quick: a smoke test, not a measurement)' : ''}\n`);
const figures: Figure[] = [];
for (const name of names) {
  const load = BENCHES[name];
  if (load === undefined) throw new Error(`Unknown benchmark "${name}". Available: ${Object.keys(BENCHES).join(', ')}`);
  if (names.length > 1) process.stderr.write(`${name} ...\n`);
  const bench = await load();
  const measured = await bench({ quick: values.quick });
  figures.push(...measured);
  if (values.json) for (const figure of measured) print(toJsonLine(figure));
}
if (!values.json) print(toTable(figures));
