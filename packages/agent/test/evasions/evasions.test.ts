import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import { verifies } from '@qwen/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallFacts, ResolvedPath } from '../../src/index.js';
import { decide } from '../../src/permission/decide.js';
import { RuleSet } from '../../src/permission/rule-set.js';
import { readShellCommand } from '../../src/permission/shell/read-shell-command.js';
import { resolveFiles } from '../../src/permission/shell/resolve-files.js';
import { evasion } from './grammar.js';
import { Random } from './random.js';
import { createScratch, runForReal, type Scratch } from './run-for-real.js';

const COUNT = Number(process.env['EVASION_COUNT'] ?? 800);
const SEED = Number(process.env['EVASION_SEED'] ?? 20_260_101);
/** Programs that the rules below allow or that only look. */
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
  const found = await resolveFiles(reading, {
    cwd: scratch.folder,
    workspace: scratch.folder,
    paths: {
      resolve,
      isFolder: async () => false,
      gitHazards: async () => ({}),
      foundFilesHazard: async () => undefined,
    },
  });
  const base = { toolName: 'run_shell_command', aliases: [], kind: 'execute', paths: [] } as const;
  return { ...base, command, shell: { reading, ...found } };
}

interface Verdicts {
  /** Commands that mode yolo lets through: all that runs at all. */
  readonly allowed: readonly string[];
  /** Those of them that mode default with careless rules lets through too. */
  readonly careless: ReadonlySet<string>;
  readonly counts: Readonly<Record<'default' | 'yolo', Record<'allow' | 'ask' | 'deny', number>>>;
}

/** Decides each command in both modes; what is asked about or denied needs no run. */
async function judge(): Promise<Verdicts> {
  const anchors = { root: scratch.folder, realRoot: scratch.folder };
  const deny = ['Bash(touch:*)'];
  const forbidding = new RuleSet({ allow: [], ask: [], deny }, anchors);
  const careless = new RuleSet({ allow: ['Bash(git status:*)', 'Bash(echo:*)', 'Bash(ls:*)'], ask: [], deny }, anchors);
  const allowed = { default: new Set<string>(), yolo: new Set<string>() };
  const counts = { default: { allow: 0, ask: 0, deny: 0 }, yolo: { allow: 0, ask: 0, deny: 0 } };
  for (const command of commands()) {
    const call = await facts(command);
    for (const mode of ['default', 'yolo'] as const) {
      const { behavior } = decide({ mode, rules: mode === 'yolo' ? forbidding : careless, call });
      counts[mode][behavior] += 1;
      if (behavior === 'allow') allowed[mode].add(command);
    }
  }
  process.stderr.write(`evasions, seed ${SEED}: ${JSON.stringify(counts)}\n`);
  return { allowed: [...new Set([...allowed.yolo, ...allowed.default])], careless: allowed.default, counts };
}

test('an accepted command runs only what the rules allow', { timeout: 120_000 + COUNT * 20 }, async () => {
  verifies('S30', 'S1', 'S3', 'S10', 'S17', 'S19');
  const { allowed, careless, counts } = await judge();
  expect(counts.default.allow).toBeGreaterThan(COUNT / 100);
  expect(counts.default.deny).toBeGreaterThan(COUNT / 10);
  expect(counts.default.ask).toBeGreaterThan(COUNT / 10);
  expect(counts.yolo.allow).toBeGreaterThan(COUNT / 20);
  const started = await runForReal(allowed, scratch);
  const escaped = allowed.filter((command, index) =>
    started.byCommand[index]?.some(
      (program) => program === 'touch' || (careless.has(command) && !MAY_RUN.has(program)),
    ),
  );
  expect(escaped).toEqual([]);
  expect(started.unknown).not.toContain('touch');
  // The oracle works: the programs of the scratch folder did run.
  expect(started.byCommand.flat()).toContain('git');
});

test('the oracle detects what runs, by whichever path it was found', async () => {
  const touching = [
    'touch C',
    'sh -c "touch C"',
    'x=touch; $x C',
    'command -p touch C',
    '/usr/bin/touch C',
    'cd sub; PATH=/usr/bin:/bin; touch C',
    'env -i touch C',
  ];
  const harmless = ['echo hi', 'echo hi > C', 'while true; do ls; done'];
  const { byCommand } = await runForReal([...touching, ...harmless], scratch);
  expect(byCommand.map((programs) => programs.includes('touch'))).toEqual([
    ...touching.map(() => true),
    ...harmless.map(() => false),
  ]);
});
