// node eval/run.ts [TASK...]: runs tasks with a real model, or without an endpoint with a scripted one, and prints
// the share that passed, turns, tokens and cost.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { hasEndpoint, listTasks, runTask, type TaskResult } from './run-task.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    model: { type: 'string' },
    out: { type: 'string' },
    parallel: { type: 'string', default: '1' },
    timeout: { type: 'string', default: '600' },
    scripted: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const print = (text: string) => process.stdout.write(`${text}\n`);
const isScripted = values.scripted || !hasEndpoint(process.env);
const all = await listTasks();
const unknown = positionals.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`Unknown tasks: ${unknown.join(', ')}. Available: ${all.join(', ')}\n`);
  process.exit(2);
}
const names = positionals.length > 0 ? positionals : all;
const parallel = Number(values.parallel);
const timeoutMs = Number(values.timeout) * 1_000;
if (!(Number.isInteger(parallel) && parallel > 0 && timeoutMs > 0)) {
  process.stderr.write('--parallel needs a number of tasks, --timeout a number of seconds\n');
  process.exit(2);
}
if (!values.json)
  print(isScripted ? 'Scripted model: checks the tasks, measures nothing.' : 'Model of the environment.');

const outFolder = values.out && resolve(process.env['INIT_CWD'] ?? process.cwd(), values.out);
const results: TaskResult[] = [];
const queue = [...names];
await Promise.all(Array.from({ length: parallel }, worker));
if (!values.json) summarize();
// With a real model, a failed task is a measurement.
process.exitCode = isScripted && results.some(({ passed }) => !passed) ? 1 : 0;

async function worker(): Promise<void> {
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    const result = await runTask(name, { isScripted, timeoutMs, model: values.model, out: outFolder });
    results.push(result);
    if (values.json) print(JSON.stringify(result));
    else print(row(result));
  }
}

function row({ task, passed, turns, inputTokens, outputTokens, costUsd, seconds, problem }: TaskResult): string {
  const tokens = `${inputTokens} in, ${outputTokens} out`;
  const mark = passed ? 'pass' : 'FAIL';
  const cost = costUsd === undefined ? 'cost unknown' : `$${costUsd.toFixed(4)}`;
  const facts = `${mark}  ${task.padEnd(20)} ${turns} turns, ${tokens}, ${cost}, ${seconds.toFixed(1)} s`;
  return problem === undefined ? facts : `${facts}\n      ${problem}`;
}

function summarize(): void {
  const passed = results.filter((result) => result.passed).length;
  const sum = (member: 'turns' | 'inputTokens' | 'outputTokens') =>
    results.reduce((total, result) => total + result[member], 0);
  const costs = results.flatMap(({ costUsd }) => (costUsd === undefined ? [] : [costUsd]));
  const cost =
    costs.length === results.length
      ? `$${costs.reduce((left, right) => left + right, 0).toFixed(4)}`
      : 'unknown (set modelOptions.prices)';
  print('');
  print(`Passed: ${passed} of ${results.length} (${Math.round((passed / results.length) * 100)}%)`);
  print(`Turns: ${sum('turns')}`);
  print(`Tokens: ${sum('inputTokens')} in, ${sum('outputTokens')} out`);
  print(`Cost: ${cost}`);
}
