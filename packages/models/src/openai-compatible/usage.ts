import type { Usage } from '@qwen/protocol';
import type { Chunk, ChunkUsage } from './chunk-schema.js';

/** The counts in a chunk, wherever its endpoint puts them; undefined when it has none. */
export function usageOf(chunk: Chunk): Usage | undefined {
  const usage = chunk.usage ?? chunk.choices?.[0]?.usage ?? chunk.x_groq?.usage;
  return usage ? toUsage(usage) : undefined;
}

function toUsage(usage: ChunkUsage): Usage {
  const input = usage.prompt_tokens ?? 0;
  const output = usage.completion_tokens ?? 0;
  return {
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens:
      usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cached_tokens ?? 0,
    total_tokens: usage.total_tokens ?? input + output,
  };
}
