import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { calls, isolatedEnvironment, type ScriptedModel, says, startScriptedModel } from '@qwen/testkit';
import * as z from 'zod';

const TASKS = fileURLToPath(new URL('./tasks/', import.meta.url));
const QWEN = fileURLToPath(new URL('../../packages/cli/bin/qwen.js', import.meta.url));
const CHECK_MS = 60_000;
const LONGEST_PROBLEM = 300;

/** Any of these makes the measurement real. */
const ENDPOINT_VARIABLES = [
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'DASHSCOPE_API_KEY',
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_BASE_URL',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GENAI_USE_VERTEXAI',
  'QWEN_PROVIDER',
];

export interface TaskResult {
  readonly task: string;
  readonly passed: boolean;
  readonly turns: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Missing if a price is unknown. */
  readonly costUsd?: number;
  readonly seconds: number;
  readonly problem?: string;
}

export interface TaskOptions {
  readonly isScripted: boolean;
  readonly timeoutMs: number;
  readonly model?: string | undefined;
  /** A folder for trajectories; absolute. */
  readonly out?: string | undefined;
}

interface Ending {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Command {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
}

const resultSchema = z.object({
  type: z.literal('result'),
  num_turns: z.number(),
  usage: z.object({ input_tokens: z.number(), output_tokens: z.number() }),
  total_cost_usd: z.number().optional(),
  is_error: z.boolean(),
  error: z.object({ message: z.string() }).optional(),
});

export function hasEndpoint(environment: NodeJS.ProcessEnv): boolean {
  return ENDPOINT_VARIABLES.some((name) => (environment[name] ?? '') !== '');
}

export async function listTasks(): Promise<readonly string[]> {
  return (await readdir(TASKS)).toSorted();
}

/** Runs the program on a copy of the task's files, then the checker of the task. */
export async function runTask(task: string, options: TaskOptions): Promise<TaskResult> {
  const folder = await mkdtemp(join(tmpdir(), 'qwen-eval-'));
  const workspace = join(folder, 'work');
  const startedAtMs = performance.now();
  try {
    await cp(join(TASKS, task, 'start'), workspace, { recursive: true });
    await using model = options.isScripted ? await startSolution(task, workspace) : undefined;
    const args = await argumentsOf(task, options);
    const env = model === undefined ? process.env : isolatedEnvironment(folder, model.env);
    const run = await runNode({ args, cwd: workspace, env, timeoutMs: options.timeoutMs });
    const seconds = (performance.now() - startedAtMs) / 1_000;
    const checker = join(TASKS, task, 'check.mjs');
    const check = await runNode({ args: [checker], cwd: workspace, env: process.env, timeoutMs: CHECK_MS });
    return toResult({ task, run, check, seconds });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function argumentsOf(task: string, { model, out }: TaskOptions): Promise<string[]> {
  const prompt = (await readFile(join(TASKS, task, 'prompt.md'), 'utf8')).trim();
  if (out !== undefined) await mkdir(out, { recursive: true });
  return [
    QWEN,
    '--yolo',
    '--output-format',
    'json',
    '--dialect',
    'sdk',
    '-p',
    prompt,
    ...(model === undefined ? [] : ['--model', model]),
    ...(out === undefined ? [] : ['--trajectory', join(out, `${task}.atif.json`)]),
  ];
}

function toResult({
  task,
  run,
  check,
  seconds,
}: {
  task: string;
  run: Ending;
  check: Ending;
  seconds: number;
}): TaskResult {
  const result = lastResult(run.stdout);
  const problem =
    result?.error?.message ?? (result === undefined ? run.stderr.trim() || 'no result' : firstLine(check.stderr));
  const passed = check.code === 0;
  return {
    task,
    passed,
    turns: result?.num_turns ?? 0,
    inputTokens: result?.usage.input_tokens ?? 0,
    outputTokens: result?.usage.output_tokens ?? 0,
    ...(result?.total_cost_usd !== undefined && { costUsd: result.total_cost_usd }),
    seconds,
    ...(!passed && { problem: problem.slice(0, LONGEST_PROBLEM) }),
  };
}

function lastResult(stdout: string): z.infer<typeof resultSchema> | undefined {
  try {
    const messages = z.array(z.unknown()).parse(JSON.parse(stdout));
    return resultSchema.safeParse(messages.at(-1)).data;
  } catch {
    return undefined;
  }
}

function firstLine(stderr: string): string {
  return /^.*Error.*$/m.exec(stderr)?.[0] ?? 'the checker failed';
}

/** Plays the solution of the task: reads each file that exists, then writes it. */
async function startSolution(task: string, workspace: string): Promise<ScriptedModel> {
  const folder = join(TASKS, task, 'solution');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  const inputs = await Promise.all(
    paths.map(async (path) => ({
      file_path: join(workspace, path),
      content: await readFile(join(folder, path), 'utf8'),
    })),
  );
  return startScriptedModel([
    calls(...inputs.map(({ file_path }) => ({ name: 'read_file', input: { file_path } }))),
    calls(...inputs.map((input) => ({ name: 'write_file', input }))),
    says('Done.'),
  ]);
}

function runNode({ args, cwd, env, timeoutMs }: Command): Promise<Ending> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: timeoutMs });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', reject).on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
