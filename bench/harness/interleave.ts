/** Takes one sample: a number, in whatever unit the figure has. */
export type Sampler<Sample> = () => Promise<Sample>;

/**
 * Takes samples in turn (A B A B), so that a busy moment of the machine hurts the value and its baseline alike. One
 * round before the first is thrown away: it fills disk and compile caches.
 */
export async function interleave<Name extends string, Sample>(
  rounds: number,
  samplers: Readonly<Record<Name, Sampler<Sample>>>,
): Promise<Record<Name, Sample[]>> {
  const names = Object.keys(samplers) as Name[];
  const samples = {} as Record<Name, Sample[]>;
  for (const name of names) samples[name] = [];
  for (let round = -1; round < rounds; round += 1) {
    for (const name of names) {
      const sample = await samplers[name]();
      if (round >= 0) samples[name].push(sample);
    }
  }
  return samples;
}
