import type { AssistantBlock, StopReason } from '@qwen/agent';
import type { Usage } from '@qwen/protocol';
import type { LineFinishReason, LineUsage } from './line-parts.js';

/** An aborted answer is `stop`; the end of the turn gives the reason. */
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

export function toCompletionUsage(usage: Usage): LineUsage {
  const { input_tokens: prompt, output_tokens: completion, cache_read_input_tokens: cached = 0 } = usage;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(cached > 0 && { prompt_tokens_details: { cached_tokens: cached } }),
    ...(usage.is_estimated === true && { is_estimated: true }),
  };
}

/** For calls that were not streamed: the input as JSON, or the partial text of an incomplete one. */
export function toArguments({ input }: Extract<AssistantBlock, { type: 'tool_use' }>): string {
  return typeof input === 'string' ? input : (JSON.stringify(input) ?? '{}');
}
