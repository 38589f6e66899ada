import * as z from 'zod/mini';

/** Of one measurement; `run.ts --json` prints one per line. */
export const figureSchema = z.object({
  name: z.string(),
  value: z.number(),
  /** For `per second`, more is better. */
  unit: z.enum(['ms', 'MiB', 'kB', 'packages', 'scripts', 'requests', 'per second']),
  /** The minimum cost of the same work, from the same run and in the same unit. Missing if there is none. */
  baseline: z.optional(z.object({ name: z.string(), value: z.number() })),
  /** The limit of the value or of its ratio to the baseline. Missing for supplementary figures. */
  target: z.optional(z.object({ of: z.enum(['value', 'ratio']), atMost: z.number() })),
});
export type Figure = Readonly<z.infer<typeof figureSchema>>;
export type Target = NonNullable<Figure['target']>;

export interface BenchOptions {
  /** A smoke test of a few seconds; the figures mean little. */
  readonly quick: boolean;
}

/** Returns the figures in print order. */
export type Bench = (options: BenchOptions) => Promise<Figure[]>;

/** Undefined without a baseline. */
export function ratioOf({ value, baseline, unit }: Figure): number | undefined {
  if (baseline === undefined) return undefined;
  return unit === 'per second' ? baseline.value / value : value / baseline.value;
}
