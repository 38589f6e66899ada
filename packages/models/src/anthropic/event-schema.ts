import * as z from 'zod/mini';
import { lenient, lenientCount, lenientText } from '../json.js';

const usageSchema = z.object({
  input_tokens: lenientCount,
  output_tokens: lenientCount,
  cache_read_input_tokens: lenientCount,
  cache_creation_input_tokens: lenientCount,
});
export type EventUsage = z.infer<typeof usageSchema>;

const blockSchema = z.object({
  type: z.string(),
  text: lenientText,
  thinking: lenientText,
  signature: lenientText,
  data: lenientText,
  id: lenientText,
  name: lenientText,
  input: z.optional(z.unknown()),
});
export type EventBlock = z.infer<typeof blockSchema>;

const deltaSchema = z.object({
  type: lenientText,
  text: lenientText,
  thinking: lenientText,
  signature: lenientText,
  /** Some endpoints send the parsed object. */
  partial_json: z.optional(z.unknown()),
  stop_reason: lenientText,
});
export type EventDelta = z.infer<typeof deltaSchema>;

/** A payload of the stream, or the whole message of an endpoint without streaming; parsed leniently. */
export const eventSchema = z.object({
  type: z.string(),
  index: lenientCount,
  message: lenient(z.object({ id: lenientText, model: lenientText, usage: lenient(usageSchema) })),
  content_block: z.nullish(blockSchema),
  delta: z.nullish(deltaSchema),
  usage: lenient(usageSchema),
  error: z.optional(z.unknown()),
  id: lenientText,
  model: lenientText,
  content: lenient(z.array(blockSchema)),
  stop_reason: lenientText,
});
