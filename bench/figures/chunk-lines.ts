import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CLI_BIN } from '../harness/channel.ts';
import type { Bench, Figure } from '../harness/figure.ts';
import { interleave } from '../harness/interleave.ts';
import { type LineRun, runLines } from '../harness/line-run.ts';
import { programPath } from '../harness/programs.ts';
import { median } from '../harness/statistics.ts';
import { createWorkspace } from '../harness/workspace.ts';
import { startModel } from '../model/start.ts';

const PROMPT = '{"input":"Say many words."}\n';

/**
 * Reads an answer of 20,000 chunks as JSON lines of the openai dialect. Baseline: a child that prints the same
 * bytes, line by line, from a file.
 */
export const chunkLines: Bench = async ({ quick }) => {
  await using workspace = await createWorkspace();
  await using model = await startModel();
  const deltas = quick ? 500 : 20_000;
  const { cwd } = workspace;
  const env = workspace.env(model.baseUrl({ deltas }));
  const args = [CLI_BIN, '--input-format', 'stream-json', '--output-format', 'stream-chunk-json'];
  // Skips the acknowledgement, which is written long before the first chunk.
  const speak = async () => {
    const run = await runLines({ args, cwd, env }, PROMPT, 1);
    if (run.lines < deltas) throw new Error(`the CLI wrote ${run.lines} lines for ${deltas} deltas`);
    return run;
  };
  const recorded = join(workspace.root, 'lines.jsonl');
  await writeFile(recorded, (await speak()).output);
  const samples = await interleave(quick ? 1 : 7, {
    printer: () => runLines({ args: [programPath('print-lines'), recorded], cwd, env }, '', 1),
    cli: speak,
  });
  const compared = (read: (run: LineRun) => number) => ({
    value: median(samples.cli.map(read)),
    baseline: { name: 'bare printer', value: median(samples.printer.map(read)) },
  });
  const figures: Figure[] = [
    { name: `${deltas} chunk lines, wall`, unit: 'ms', ...compared(({ wallMs }) => wallMs) },
    { name: 'chunk lines', unit: 'per second', ...compared(({ lines, streamMs }) => lines / (streamMs / 1000)) },
  ];
  return figures;
};
