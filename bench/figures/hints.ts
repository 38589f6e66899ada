import { mkdirSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type HintAnswer, HintEngine } from '@qwen/commands';
import { FileIndex } from '@qwen/commands/node';
import type { Bench } from '../harness/figure.ts';
import { median, quantile } from '../harness/statistics.ts';
import { createWorkspace } from '../harness/workspace.ts';

const FILES_A_FOLDER = 50;
const NS_A_MS = 1e6;
const WORDS = `agent account button cache channel chart client config control event field form handler index input item
invoice list login model order page parser payment protocol query reader report search select server session settings
store stream table test tool user view writer`.split(/\s+/);

/** Short and long texts, with folders, loose matches and no matches. */
const TYPED = [
  's',
  'se',
  'src/',
  'src/ag',
  'session',
  'srcbut',
  'agses',
  'paymentinv',
  'report-99',
  'rts',
  'input9',
  'zzz',
];

/**
 * File hints over 100,000 files with an ignore file, without the throttle of 75 ms. The longest block is the longest
 * time per round without a turn of the event loop (median of the rounds). Baselines: a recursive listing; `includes`
 * over the paths.
 */
export const hints: Bench = async ({ quick }) => {
  await using workspace = await createWorkspace();
  const { cwd } = workspace;
  plantTree(cwd, quick ? 2_000 : 100_000);
  const listing = () => timed(() => readdir(cwd, { recursive: true }));
  const blocks = monitorEventLoopDelay({ resolution: 1 });
  blocks.enable();

  const cold = { hint: [] as number[], listing: [] as number[], block: [] as number[] };
  await listing();
  for (let round = 0; round < (quick ? 1 : 5); round += 1) {
    await using asker = createAsker(cwd);
    blocks.reset();
    cold.hint.push(await timed(() => asker.ask('@s')));
    cold.block.push(blocks.max / NS_A_MS);
    cold.listing.push(await listing());
  }

  const paths = await readdir(cwd, { recursive: true });
  const warm = { hint: [] as number[], filter: [] as number[], block: [] as number[] };
  await using asker = createAsker(cwd);
  // The first rounds are warm-up.
  for (let round = quick ? 0 : -5; round < (quick ? 1 : 60); round += 1) {
    const isMeasured = round >= 0;
    blocks.reset();
    for (const typed of TYPED) {
      const tookMs = await timed(() => asker.ask(`@${typed}`));
      if (isMeasured) warm.hint.push(tookMs);
    }
    if (isMeasured) warm.block.push(blocks.max / NS_A_MS);
    for (const typed of TYPED) {
      const tookMs = await timed(async () => paths.filter((path) => path.includes(typed)));
      if (isMeasured) warm.filter.push(tookMs);
    }
  }
  blocks.disable();

  const at = (share: number) => ({
    value: quantile(warm.hint, share),
    unit: 'ms' as const,
    baseline: { name: 'plain includes', value: quantile(warm.filter, share) },
    target: { of: 'value' as const, atMost: 9.9 },
  });
  return [
    {
      name: 'hint, cold index',
      value: median(cold.hint),
      unit: 'ms',
      baseline: { name: 'plain listing', value: median(cold.listing) },
    },
    { name: 'hint, warm p50', ...at(0.5) },
    { name: 'hint, warm p99', ...at(0.99) },
    { name: 'longest block, cold index', value: median(cold.block), unit: 'ms' },
    { name: 'longest block, warm', value: median(warm.block), unit: 'ms' },
  ];
};

function plantTree(root: string, files: number): void {
  writeFileSync(join(root, '.gitignore'), 'dist/\n*.log\n/build\n');
  const word = (index: number) => WORDS[index % WORDS.length] ?? '';
  for (let folder = 0; folder * FILES_A_FOLDER < files; folder += 1) {
    const path = join(root, 'src', `${word(folder)}-${folder % 97}`, word(folder * 7), `${word(folder * 3)}-${folder}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < FILES_A_FOLDER; file += 1) {
      const number = folder * FILES_A_FOLDER + file;
      writeFileSync(join(path, `${word(file * 5 + folder)}-${word(file + folder)}-${number}.ts`), '');
    }
  }
}

function createAsker(cwd: string) {
  const index = new FileIndex();
  let settle: (answer: HintAnswer) => void = () => undefined;
  const engine = new HintEngine({
    commands: { list: () => [], complete: async () => [] },
    files: index.viewedBy({ roots: () => [cwd] }),
    clock: {
      startTimer(_ms, callback) {
        queueMicrotask(callback);
        return () => undefined;
      },
    },
    onAnswer: (answer) => {
      if (answer.status !== 'loading') settle(answer);
    },
  });
  return {
    ask: (text: string) =>
      new Promise<HintAnswer>((resolve) => {
        settle = resolve;
        engine.request({ promptId: 'p', trigger: 'at', text, cursor: text.length, cwd });
      }),
    async [Symbol.asyncDispose]() {
      engine.close();
      await index.close();
    },
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
