export type Sampler<Sample> = () => Promise<Sample>;

/**
 * Alternates samples (A B A B), so that load on the machine affects both alike. Discards the first round, which
 * warms the caches.
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
