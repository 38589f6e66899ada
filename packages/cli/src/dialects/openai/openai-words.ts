import type { AssistantBlock, StopReason } from '@qwen/agent';
import type { Usage } from '@qwen/protocol';
import type { LineFinishReason, LineUsage } from './line-parts.js';

/**
 * Why an answer ended, in OpenAI's words (B-12 … B-14, CF-55, GAP-17). One that was broken off is `stop`: the end of
 * the turn says why.
 */
export function toFinishReason(reason: StopReason, hasCalls: boolean): LineFinishReason {
  switch (reason) {
    case 'max_tokens':
      return 'length';
    case 'content_filter':
      return 'content_filter';
    case 'end_turn':
    case 'tool_use':
    case 'interrupted':
    case 'error':
    case 'other':
      return hasCalls ? 'tool_calls' : 'stop';
  }
}

/** Token counts in OpenAI's words (B-15, CF-55). */
export function toCompletionUsage(usage: Usage): LineUsage {
  const { input_tokens: prompt, output_tokens: completion, cache_read_input_tokens: cached = 0 } = usage;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(cached > 0 && { prompt_tokens_details: { cached_tokens: cached } }),
  };
}

/**
 * The arguments of a call where its pieces were not told: the input as JSON. One that did not arrive whole is the text
 * that did.
 */
export function toArguments({ input }: Extract<AssistantBlock, { type: 'tool_use' }>): string {
  return typeof input === 'string' ? input : (JSON.stringify(input) ?? '{}');
}
