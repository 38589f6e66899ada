/** For `per second`, more is better. */
export type Unit = 'ms' | 'MiB' | 'kB' | 'packages' | 'scripts' | 'requests' | 'per second';

/** The minimum cost of the same work, from the same run and in the same unit. */
export interface Baseline {
  readonly name: string;
  readonly value: number;
}

/** The limit of the value or of its ratio to the baseline. */
export interface Target {
  readonly of: 'value' | 'ratio';
  readonly atMost: number;
}

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: Unit;
  /** Missing if there is nothing to compare with. */
  readonly baseline?: Baseline | undefined;
  /** Missing for supplementary figures. */
  readonly target?: Target | undefined;
}

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
