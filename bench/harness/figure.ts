/** What a figure counts. `per second` is the only one where more is better. */
export type Unit = 'ms' | 'MiB' | 'kB' | 'packages' | 'scripts' | 'requests' | 'per second';

/** The least that anybody could need for the same work, measured in the same run and in the figure's unit. */
export interface Baseline {
  readonly name: string;
  readonly value: number;
}

/** What we promised: at most this, of the value itself or of its ratio to the baseline. */
export interface Target {
  readonly of: 'value' | 'ratio';
  readonly atMost: number;
}

/** One measured number. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: Unit;
  /** Missing where there is nothing to compare with, as for bytes on a disk. */
  readonly baseline?: Baseline | undefined;
  /** Missing where the number only explains another one. */
  readonly target?: Target | undefined;
}

/** How a bench is asked to run. */
export interface BenchOptions {
  /** A smoke of a few seconds: every figure is there, none of them means much. */
  readonly quick: boolean;
}

/** Measures and gives its figures in the order in which they are printed. */
export type Bench = (options: BenchOptions) => Promise<Figure[]>;

/** How many times worse than the baseline, or undefined without one. */
export function ratioOf({ value, baseline, unit }: Figure): number | undefined {
  if (baseline === undefined) return undefined;
  return unit === 'per second' ? baseline.value / value : value / baseline.value;
}
