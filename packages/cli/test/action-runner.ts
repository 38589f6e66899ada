import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import * as z from 'zod';

export const ACTION_FOLDER = fileURLToPath(new URL('../../..', import.meta.url));

const step = z.object({
  id: z.string().optional(),
  if: z.string().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
  shell: z.string().optional(),
  env: z.record(z.string(), z.string()).default({}),
});
const action = z.object({
  inputs: z.record(z.string(), z.object({ description: z.string(), default: z.string() })),
  outputs: z.record(z.string(), z.object({ description: z.string(), value: z.string() })),
  runs: z.object({ using: z.literal('composite'), steps: z.array(step) }),
});

export const ACTION = action.parse(parse(readFileSync(join(ACTION_FOLDER, 'action.yml'), 'utf8')));

export interface ActionRun {
  readonly exitCode: number;
  readonly log: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
}

export interface ActionOptions {
  readonly inputs: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  /** The workspace of the job. */
  readonly workspace: string;
  /** Folder for the files of the runner. */
  readonly temp: string;
}

/** Runs the steps of `action.yml` as the runner of GitHub does, without a container. Steps with `uses` are skipped. */
export async function runAction({ inputs, env, workspace, temp }: ActionOptions): Promise<ActionRun> {
  const folder = await mkdtemp(join(temp, 'runner-'));
  const summaryFile = join(folder, 'summary.md');
  await writeFile(summaryFile, '');
  const defaults = Object.entries(ACTION.inputs).map(([name, { default: value }]) => [name, value] as const);
  const steps = new Map<string, Readonly<Record<string, string>>>();
  const context = { inputs: {}, steps };
  context.inputs = Object.fromEntries(
    defaults.map(([name, value]) => [name, inputs[name] ?? evaluate(value, context)] as const),
  );
  let [log, exitCode] = ['', 0];
  for (const { id, if: condition, run, env: own } of ACTION.runs.steps) {
    if (run === undefined || exitCode !== 0 || !isTrue(condition, context)) continue;
    const outputFile = join(folder, `output-${steps.size}`);
    const script = join(folder, `step-${steps.size}.sh`);
    await Promise.all([writeFile(outputFile, ''), writeFile(script, run)]);
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
      cwd: workspace,
      env: {
        ...env,
        GITHUB_ACTIONS: 'true',
        GITHUB_ACTION_PATH: ACTION_FOLDER,
        GITHUB_WORKSPACE: workspace,
        GITHUB_OUTPUT: outputFile,
        GITHUB_STEP_SUMMARY: summaryFile,
        GITHUB_ENV: join(folder, 'env'),
        RUNNER_TEMP: temp,
        RUNNER_OS: 'Linux',
        ...Object.fromEntries(Object.entries(own).map(([name, value]) => [name, evaluate(value, context)])),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    log += out + err;
    exitCode = child.exitCode ?? 1;
    steps.set(id ?? `step-${steps.size}`, readOutputs(await readFile(outputFile, 'utf8')));
  }
  const outputs = Object.entries(ACTION.outputs).map(([name, { value }]) => [name, evaluate(value, context)] as const);
  return { exitCode, log, outputs: Object.fromEntries(outputs), summary: await readFile(summaryFile, 'utf8') };
}

interface Context {
  readonly inputs: Readonly<Record<string, string>>;
  readonly steps: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

/** Replaces `${{ }}`; throws for an expression that the action should not use. */
function evaluate(value: string, context: Context): string {
  return value.replaceAll(/\$\{\{\s*(.*?)\s*\}\}/g, (_all, expression: string) => lookUp(expression, context));
}

function lookUp(expression: string, { inputs, steps }: Context): string {
  if (expression === 'github.token') return 'ghs_job_token';
  if (expression === 'toJSON(inputs)') return JSON.stringify(inputs, null, 2);
  const [, input] = /^inputs\.([\w-]+)$/.exec(expression) ?? [];
  if (input !== undefined && input in inputs) return inputs[input] ?? '';
  const [, id, output] = /^steps\.([\w-]+)\.outputs\.([\w-]+)$/.exec(expression) ?? [];
  if (id !== undefined && output !== undefined) return steps.get(id)?.[output] ?? '';
  throw new Error(`action.yml uses ${expression}`);
}

function isTrue(condition: string | undefined, context: Context): boolean {
  if (condition === undefined) return true;
  const [, expression, expected] = /^(\S+) == '(.*)'$/.exec(condition) ?? [];
  if (expression === undefined) throw new Error(`action.yml uses ${condition}`);
  return lookUp(expression, context) === expected;
}

/** The format of `GITHUB_OUTPUT`. */
function readOutputs(file: string): Readonly<Record<string, string>> {
  const outputs: Record<string, string> = {};
  const lines = file.split('\n');
  for (let index = 0; index < lines.length; index += 1) {
    const [, name, delimiter] = /^([^=<]+)<<(.+)$/.exec(lines[index] ?? '') ?? [];
    if (name !== undefined && delimiter !== undefined) {
      const end = lines.indexOf(delimiter, index + 1);
      if (end < 0) throw new Error(`The output ${name} has no end.`);
      outputs[name] = lines.slice(index + 1, end).join('\n');
      index = end;
    } else {
      const [, key, value] = /^([^=]+)=(.*)$/.exec(lines[index] ?? '') ?? [];
      if (key !== undefined && value !== undefined) outputs[key] = value;
    }
  }
  return outputs;
}
