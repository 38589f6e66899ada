import * as z from 'zod/mini';
import type { Script } from '../model/answers.ts';
import { startModel } from '../model/start.ts';
import { reportOf } from './child.ts';
import { interleave } from './interleave.ts';
import { programPath } from './programs.ts';
import { createWorkspace } from './workspace.ts';

const streamReportSchema = z.object({
  deltas: z.number(),
  /** From the first statement, before the child starts, to the last delta. */
  wallMs: z.number(),
  /** From the first delta to the last. */
  streamMs: z.number(),
  /** CPU time of the program and its child. */
  processorMs: z.number(),
  ownMemoryBytes: z.number(),
  childMemoryBytes: z.number(),
  /** Latency of each delta; empty unless the stream is paced. */
  latenciesMs: z.array(z.number()),
});

export type StreamReport = z.infer<typeof streamReportSchema>;

/** Alternates between `query()` and the bare relay. Rejects if deltas are lost. */
export async function streamSamples(
  script: Script & { readonly deltas: number },
  rounds: number,
): Promise<Record<'query' | 'relay', StreamReport[]>> {
  await using workspace = await createWorkspace();
  await using model = await startModel();
  const { cwd } = workspace;
  const env = workspace.env(model.baseUrl(script));
  const sample = (program: string) => async () => {
    const report = await reportOf({ args: [programPath(program)], cwd, env }, streamReportSchema);
    if (report.deltas !== script.deltas)
      throw new Error(`${program} received ${report.deltas} of ${script.deltas} deltas`);
    return report;
  };
  return await interleave(rounds, { relay: sample('stream-relay'), query: sample('stream-query') });
}
