import type { ModelMessage } from '@qwen/models';
import { messageTokens } from '../../conversation/context-usage.js';

const KEPT_SHARE = 0.3;
const WORTHWHILE_SHARE = 0.2;

export interface CompactionPlan {
  readonly older: readonly ModelMessage[];
  /** Starts with a prompt or an answer, so that no result is separated from its call. */
  readonly kept: readonly ModelMessage[];
  readonly olderTokens: number;
  readonly keptTokens: number;
}

/** Undefined if not worthwhile. Every call must be answered. */
export function planCompaction(messages: readonly ModelMessage[]): CompactionPlan | undefined {
  const sizes = messages.map((message) => messageTokens(message));
  const total = sum(sizes);
  const cuts = cutsWithin(messages, sizes, total * KEPT_SHARE);
  const cut = cuts.find((index) => messages[index]?.role === 'user') ?? cuts[0];
  if (cut === undefined) return undefined;
  const olderTokens = sum(sizes.slice(0, cut));
  if (cut < 2 || olderTokens < total * WORTHWHILE_SHARE) return undefined;
  return { older: messages.slice(0, cut), kept: messages.slice(cut), olderTokens, keptTokens: total - olderTokens };
}

function cutsWithin(messages: readonly ModelMessage[], sizes: readonly number[], limit: number): readonly number[] {
  const places = [...messages.keys()].slice(1).filter((index) => messages[index]?.role !== 'tool');
  return places.filter((index) => index === places.at(-1) || sum(sizes.slice(index)) <= limit);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
