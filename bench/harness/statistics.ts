/** Nearest rank; `share` is from 0 to 1. Throws without samples. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  if (value === undefined) throw new RangeError('there is no quantile of nothing');
  return value;
}

export const median = (samples: readonly number[]): number => quantile(samples, 0.5);
