import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import { verifies } from '@qwen/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallFacts, ResolvedPath } from '../../src/index.js';
import { decide } from '../../src/permission/decide.js';
import { RuleSet } from '../../src/permission/rule-set.js';
import { readShellCommand } from '../../src/permission/shell/read-script.js';
import { resolveFiles } from '../../src/permission/shell/resolve-files.js';
import { evasion } from './grammar.js';
import { Random } from './random.js';
import { createScratch, runForReal, type Scratch } from './run-for-real.js';

const COUNT = 12_000;
const SEED = Number(process.env['EVASION_SEED'] ?? 20_260_101);
/** What the rules below allow and what only looks. */
const MAY_RUN = new Set(['git', 'ls', 'cat', 'grep', 'wc', 'head', 'timeout', 'nice', 'nohup', 'stdbuf', 'sort']);

let root: string;
let scratch: Scratch;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'qwen-evasions-')));
  scratch = await createScratch(root);
});
afterAll(() => rm(root, { recursive: true, force: true }));

function commands(): string[] {
  const random = new Random(SEED);
  const made = new Set<string>();
  while (made.size < COUNT) made.add(evasion(random));
  return [...made];
}

async function facts(command: string): Promise<CallFacts> {
  const reading = readShellCommand(command, { folder: scratch.folder, workspace: scratch.folder });
  const resolve = async (path: string): Promise<ResolvedPath> => {
    const realPath = normalize(path);
    const insideRoots = realPath === scratch.folder || realPath.startsWith(`${scratch.folder}/`);
    return { path: realPath, realPath, insideRoots };
  };
  const paths = await resolveFiles(reading, { cwd: scratch.folder, paths: { resolve } });
  const base = { toolName: 'run_shell_command', aliases: [], kind: 'execute', paths: [] } as const;
  return { ...base, command, shell: { reading, paths } };
}

/** The commands that are let through, and how many of each verdict there are. */
async function letThrough(mode: 'default' | 'yolo', allow: readonly string[]) {
  const anchors = { root: scratch.folder, realRoot: scratch.folder };
  const rules = new RuleSet({ allow, ask: [], deny: ['Bash(touch:*)'] }, anchors);
  const counts = { allow: 0, ask: 0, deny: 0 };
  const allowed: string[] = [];
  for (const command of commands()) {
    const { behavior } = decide({ mode, rules, call: await facts(command) });
    counts[behavior] += 1;
    if (behavior === 'allow') allowed.push(command);
  }
  process.stderr.write(`evasions, seed ${SEED}, mode ${mode}: ${JSON.stringify(counts)}\n`);
  return { allowed, counts };
}

test('what is let through runs nothing but what the rules allow', { timeout: 240_000 }, async () => {
  verifies('S30', 'S1', 'S3', 'S10');
  const { allowed, counts } = await letThrough('default', ['Bash(git status:*)', 'Bash(echo:*)', 'Bash(ls:*)']);
  expect(counts.allow).toBeGreaterThan(COUNT / 100);
  expect(counts.deny).toBeGreaterThan(COUNT / 10);
  expect(counts.ask).toBeGreaterThan(COUNT / 10);
  const started = await runForReal(allowed, scratch);
  const escaped = allowed.filter((_, index) => started[index]?.some((program) => !MAY_RUN.has(program)));
  expect(escaped).toEqual([]);
  // The oracle works: the programs of the scratch folder did run.
  expect(started.flat()).toContain('git');
});

test('what mode yolo lets through never runs what a rule forbids', { timeout: 240_000 }, async () => {
  verifies('S30', 'S17', 'S19');
  const { allowed, counts } = await letThrough('yolo', []);
  expect(counts.allow).toBeGreaterThan(COUNT / 20);
  const started = await runForReal(allowed, scratch);
  expect(allowed.filter((_, index) => started[index]?.includes('touch'))).toEqual([]);
});

test('the oracle sees what runs', async () => {
  const forbidden = ['touch C', 'sh -c "touch C"', 'x=touch; $x C', 'echo hi'];
  const started = await runForReal(forbidden, scratch);
  expect(started.map((programs) => programs.includes('touch'))).toEqual([true, true, true, false]);
});
