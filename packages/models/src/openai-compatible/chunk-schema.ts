import * as z from 'zod/mini';
import { lenient, lenientCount, lenientText } from '../json.js';

/** Arguments are JSON text in pieces; some endpoints send the parsed object. */
const functionSchema = { name: lenientText, arguments: z.optional(z.unknown()) };

const toolCallSchema = z.object({
  index: lenientCount,
  id: lenientText,
  function: lenient(z.object(functionSchema)),
  /** Without `function` around them. */
  ...functionSchema,
  /** Gemini. */
  extra_content: lenient(z.object({ google: lenient(z.object({ thought_signature: lenientText })) })),
});
export type CallChunk = z.infer<typeof toolCallSchema>;

/** Text, or blocks (Mistral). */
const blockSchema = z.object({
  text: lenientText,
  thinking: lenient(z.union([z.string(), z.array(z.object({ text: lenientText }))])),
});

const messageSchema = z.object({
  content: lenient(z.union([z.string(), z.array(z.union([z.string(), blockSchema])), blockSchema, z.number()])),
  /** DashScope, DeepSeek, vLLM, llama.cpp. */
  reasoning_content: lenientText,
  /** OpenRouter, Ollama, newer vLLM. */
  reasoning: lenientText,
  /** Copilot, and gateways of other protocols. */
  reasoning_text: lenientText,
  thinking: lenientText,
  thinking_content: lenientText,
  /** OpenRouter. */
  reasoning_details: lenient(z.array(z.record(z.string(), z.unknown()))),
  refusal: lenientText,
  tool_calls: z.nullish(z.union([z.array(z.nullish(toolCallSchema)), toolCallSchema])),
  /** The predecessor of tools. */
  function_call: lenient(z.object(functionSchema)),
});
export type CompletionDelta = z.infer<typeof messageSchema>;

const usageSchema = z.object({
  prompt_tokens: lenientCount,
  completion_tokens: lenientCount,
  total_tokens: lenientCount,
  prompt_tokens_details: lenient(
    z.object({
      cached_tokens: lenientCount,
      cache_creation_input_tokens: lenientCount,
      cache_write_tokens: lenientCount,
    }),
  ),
  completion_tokens_details: lenient(z.object({ reasoning_tokens: lenientCount })),
  cache_creation_input_tokens: lenientCount,
  /** OpenRouter, in US dollars. */
  cost: lenientCount,
  /** DeepSeek. */
  prompt_cache_hit_tokens: lenientCount,
  /** Moonshot. */
  cached_tokens: lenientCount,
});
export type ChunkUsage = z.infer<typeof usageSchema>;

const usage = lenient(usageSchema);

const choiceSchema = z.object({
  index: lenientCount,
  delta: z.nullish(messageSchema),
  /** Sent by endpoints without streaming. */
  message: z.nullish(messageSchema),
  /** Sent by endpoints for completions. */
  text: lenientText,
  /** OpenRouter, in the middle of an answer. */
  error: z.optional(z.unknown()),
  finish_reason: lenientText,
  /** Moonshot. */
  usage,
});

/** A payload of the stream, parsed leniently. */
export const chunkSchema = z.object({
  id: lenientText,
  model: lenientText,
  choices: z.nullish(z.array(choiceSchema)),
  usage,
  /** Groq. */
  x_groq: lenient(z.object({ usage })),
  error: z.optional(z.unknown()),
});
export type Chunk = z.infer<typeof chunkSchema>;
