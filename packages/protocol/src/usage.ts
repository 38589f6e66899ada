import * as z from 'zod/mini';
import { lazySchema } from './lazy-schema.js';
import { openObject } from './open-object.js';

/** Tokens of one model call, or their sum over a turn. */
export const usageSchema = lazySchema(() =>
  openObject({
    input_tokens: z.number(),
    output_tokens: z.number(),
    /** Part of `input_tokens` served from the provider's prompt cache. */
    cache_read_input_tokens: z.optional(z.number()),
    /** Part of `input_tokens` that the cache stored. */
    cache_creation_input_tokens: z.optional(z.number()),
    /** Part of `output_tokens`, where the provider counts it. */
    reasoning_output_tokens: z.optional(z.number()),
    /** In US dollars; missing if any part of it is unknown. */
    cost_usd: z.optional(z.number()),
    total_tokens: z.optional(z.number()),
    /** The answer was cut off before the provider counted all of it: tokens and cost are estimates. */
    is_estimated: z.optional(z.boolean()),
  }),
);
export type Usage = z.infer<typeof usageSchema>;

/** In the form of Claude Code. */
export const modelUsageSchema = lazySchema(() =>
  openObject({
    inputTokens: z.number(),
    outputTokens: z.number(),
    /** Read and written tokens are not part of `inputTokens`. */
    cacheReadInputTokens: z.number(),
    cacheCreationInputTokens: z.number(),
    /** Part of `outputTokens`. */
    reasoningTokens: z.optional(z.number()),
    /** Missing if the price is unknown. */
    costUSD: z.optional(z.number()),
    /** Searches that the provider ran. Always 0: none are requested. */
    webSearchRequests: z.optional(z.number()),
    /** In tokens. Missing if unknown. */
    contextWindow: z.optional(z.number()),
  }),
);

export const NO_USAGE: Usage = Object.freeze({
  input_tokens: 0,
  output_tokens: 0,
  cache_read_input_tokens: 0,
  total_tokens: 0,
});

/** Adds two counts; a missing member counts as zero. */
export function addUsage(left: Usage, right: Usage): Usage {
  return {
    input_tokens: left.input_tokens + right.input_tokens,
    output_tokens: left.output_tokens + right.output_tokens,
    cache_read_input_tokens: (left.cache_read_input_tokens ?? 0) + (right.cache_read_input_tokens ?? 0),
    ...addOptional(left, right, 'cache_creation_input_tokens'),
    ...addOptional(left, right, 'reasoning_output_tokens'),
    ...addCosts(left, right),
    total_tokens: totalTokens(left) + totalTokens(right),
    ...((left.is_estimated === true || right.is_estimated === true) && { is_estimated: true }),
  };
}

/** An unknown cost makes the sum unknown. Without tokens there is no cost. */
function addCosts(left: Usage, right: Usage): Pick<Usage, 'cost_usd'> {
  const costs = [left, right].filter((usage) => usage.cost_usd !== undefined || totalTokens(usage) > 0);
  let sum = 0;
  for (const { cost_usd: cost } of costs) {
    if (cost === undefined) return {};
    sum += cost;
  }
  return costs.length === 0 ? {} : { cost_usd: sum };
}

/** Stays missing if neither has it. */
function addOptional(
  left: Usage,
  right: Usage,
  member: 'cache_creation_input_tokens' | 'reasoning_output_tokens',
): Partial<Usage> {
  if (left[member] === undefined && right[member] === undefined) return {};
  return { [member]: (left[member] ?? 0) + (right[member] ?? 0) };
}

function totalTokens(usage: Usage): number {
  return usage.total_tokens ?? usage.input_tokens + usage.output_tokens;
}
