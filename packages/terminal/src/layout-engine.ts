import { loadYoga, type Yoga } from 'yoga-layout/load';

/** Ink's layout engine in the built program; empty until started. */
export const layoutEngine: Partial<Yoga> = {};

/** Call this before rendering anything. */
export async function startLayoutEngine(): Promise<void> {
  Object.assign(layoutEngine, await loadYoga());
}
