import type { ModelMessage } from '@qwen/models';
import { messageTokens } from '../../conversation/context-usage.js';

/** Shares of the window. */
const KEPT_SHARE = 0.3;
const SMALLEST_KEPT_SHARE = 0.1;
/** Up to this share, the user's messages always stay verbatim. */
const REQUESTS_SHARE = 0.3;
/** Longer messages stay verbatim while the request, without the summary, fills at most this share. */
const FILLED_SHARE = 0.65;
const WORTHWHILE_SHARE = 0.2;

export interface CompactionPlan {
  readonly older: readonly ModelMessage[];
  /** Starts with a prompt or an answer, so that no result is separated from its call. */
  readonly kept: readonly ModelMessage[];
  readonly olderTokens: number;
  readonly keptTokens: number;
  /** Tokens up to which the user's messages stay verbatim. */
  readonly requestRoom: number;
}

/**
 * Undefined if not worthwhile. Every call must be answered. `window` is in tokens; `fixedTokens` are those of the system
 * prompt and the tools.
 */
export function planCompaction(
  messages: readonly ModelMessage[],
  window = Infinity,
  fixedTokens = 0,
): CompactionPlan | undefined {
  const sizes = messages.map((message) => messageTokens(message));
  const total = sum(sizes);
  const requestsUpTo = (end: number) => sum(sizes.slice(0, end).filter((_, index) => messages[index]?.role === 'user'));
  // Long requests leave less room for the latest messages.
  const crowded = Math.max(0, (fixedTokens + requestsUpTo(messages.length)) / window - REQUESTS_SHARE);
  const keptShare = Math.max(SMALLEST_KEPT_SHARE, KEPT_SHARE - crowded);
  // A prompt alone has nothing to summarize.
  const cuts = cutsWithin(messages, sizes, Math.min(total, window) * keptShare).filter((index) => index > 1);
  const cut = cuts.find((index) => messages[index]?.role === 'user') ?? cuts[0];
  if (cut === undefined) return undefined;
  const olderTokens = sum(sizes.slice(0, cut));
  const keptTokens = total - olderTokens;
  const requestTokens = requestsUpTo(cut);
  const rooms = [window * FILLED_SHARE - fixedTokens - keptTokens, window * REQUESTS_SHARE];
  const requestRoom = rooms
    .filter((room) => room >= window * REQUESTS_SHARE)
    .find((room) => olderTokens - Math.min(requestTokens, room) >= total * WORTHWHILE_SHARE);
  if (requestRoom === undefined) return undefined;
  return { older: messages.slice(0, cut), kept: messages.slice(cut), olderTokens, keptTokens, requestRoom };
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
