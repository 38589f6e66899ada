import { loadYoga, type Yoga } from 'yoga-layout/load';

/** What Ink lays its boxes out with in the built program; empty until it is started. */
export const layoutEngine: Partial<Yoga> = {};

/** Starts the engine. To be called before anything is rendered. */
export async function startLayoutEngine(): Promise<void> {
  Object.assign(layoutEngine, await loadYoga());
}
