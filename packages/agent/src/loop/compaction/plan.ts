import type { ModelMessage } from '@qwen/models';
import { messageTokens } from '../../conversation/context-usage.js';

/** The part of a conversation that stays word for word, at most, unless its last step alone is longer. */
const KEPT_SHARE = 0.3;
/** Less than this is not worth the price of a summary. */
const WORTHWHILE_SHARE = 0.2;

/** A conversation in two parts. */
export interface CompactionPlan {
  /** To be summed up. */
  readonly older: readonly ModelMessage[];
  /** To stay as it is. Begins with a prompt or an answer, so that no result stands without its call. */
  readonly kept: readonly ModelMessage[];
  /** Estimates, in tokens. */
  readonly olderTokens: number;
  readonly keptTokens: number;
}

/** Where to cut a conversation; undefined when nothing worthwhile could be summed up. Every call must be answered. */
export function planCompaction(messages: readonly ModelMessage[]): CompactionPlan | undefined {
  const sizes = messages.map((message) => messageTokens(message));
  const total = sum(sizes);
  const cuts = cutsWithin(messages, sizes, total * KEPT_SHARE);
  // Whole turns where that is possible, else whole steps of the turn.
  const cut = cuts.find((index) => messages[index]?.role === 'user') ?? cuts[0];
  if (cut === undefined) return undefined;
  const olderTokens = sum(sizes.slice(0, cut));
  // One message alone may be the last summary.
  if (cut < 2 || olderTokens < total * WORTHWHILE_SHARE) return undefined;
  return { older: messages.slice(0, cut), kept: messages.slice(cut), olderTokens, keptTokens: total - olderTokens };
}

/** Where the kept part may begin, first to last: what it holds stays within the limit, but for the last place of all. */
function cutsWithin(messages: readonly ModelMessage[], sizes: readonly number[], limit: number): readonly number[] {
  const places = [...messages.keys()].slice(1).filter((index) => messages[index]?.role !== 'tool');
  return places.filter((index) => index === places.at(-1) || sum(sizes.slice(index)) <= limit);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
