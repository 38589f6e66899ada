import type { ModelMessage } from '@qwen/models';
import { messageTokens } from '../../conversation/context-usage.js';

const KEPT_SHARE = 0.3;
const WORTHWHILE_SHARE = 0.2;
/** Share of the window in which the user's own words stay word for word. */
export const REQUESTS_SHARE = 0.3;

export interface CompactionPlan {
  readonly older: readonly ModelMessage[];
  /** Starts with a prompt or an answer, so that no result is separated from its call. */
  readonly kept: readonly ModelMessage[];
  readonly olderTokens: number;
  readonly keptTokens: number;
}

/** Undefined if not worthwhile. Every call must be answered. `window` is in tokens. */
export function planCompaction(messages: readonly ModelMessage[], window = Infinity): CompactionPlan | undefined {
  const sizes = messages.map((message) => messageTokens(message));
  const total = sum(sizes);
  // A prompt alone has nothing to summarize.
  const cuts = cutsWithin(messages, sizes, Math.min(total, window) * KEPT_SHARE).filter((index) => index > 1);
  const cut = cuts.find((index) => messages[index]?.role === 'user') ?? cuts[0];
  if (cut === undefined) return undefined;
  const older = messages.slice(0, cut);
  const olderTokens = sum(sizes.slice(0, cut));
  const requestTokens = sum(sizes.slice(0, cut).filter((_, index) => older[index]?.role === 'user'));
  const gain = olderTokens - Math.min(requestTokens, window * REQUESTS_SHARE);
  if (gain < total * WORTHWHILE_SHARE) return undefined;
  return { older, kept: messages.slice(cut), olderTokens, keptTokens: total - olderTokens };
}

function cutsWithin(messages: readonly ModelMessage[], sizes: readonly number[], limit: number): readonly number[] {
  const places = [...messages.keys()].slice(1).filter((index) => messages[index]?.role !== 'tool');
  const last = places.at(-1);
  let rest = sum(sizes);
  const restAt = sizes.map((size) => {
    rest -= size;
    return rest + size;
  });
  return places.filter((index) => index === last || (restAt[index] ?? 0) <= limit);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
