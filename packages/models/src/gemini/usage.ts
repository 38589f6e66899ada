import type { Usage } from '@qwen/protocol';
import type { ChunkUsage } from './chunk-schema.js';

/** Gemini's counts as ours: thoughts are output, what tools fed in is input, cached tokens are part of the input. */
export function toUsage(usage: ChunkUsage): Usage {
  const input = (usage.promptTokenCount ?? 0) + (usage.toolUsePromptTokenCount ?? 0);
  const output = (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0);
  return {
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: usage.cachedContentTokenCount ?? 0,
    total_tokens: usage.totalTokenCount ?? input + output,
  };
}
