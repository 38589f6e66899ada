import * as z from 'zod/mini';
import { lenient, lenientCount, lenientText } from '../json.js';

const usageSchema = z.object({
  input_tokens: lenientCount,
  input_tokens_details: lenient(z.object({ cached_tokens: lenientCount, cache_write_tokens: lenientCount })),
  output_tokens: lenientCount,
  output_tokens_details: lenient(z.object({ reasoning_tokens: lenientCount })),
  total_tokens: lenientCount,
});
export type EventUsage = z.infer<typeof usageSchema>;

const textsSchema = lenient(z.array(z.object({ type: lenientText, text: lenientText, refusal: lenientText })));

/** Unknown members are kept: reasoning goes back unchanged. */
const itemSchema = z.looseObject({
  type: z.string(),
  call_id: lenientText,
  name: lenientText,
  /** JSON text; some endpoints send the parsed object. */
  arguments: z.optional(z.unknown()),
  content: textsSchema,
});
export type OutputItem = z.infer<typeof itemSchema>;

const responseSchema = z.object({
  id: lenientText,
  model: lenientText,
  status: lenientText,
  usage: lenient(usageSchema),
  incomplete_details: lenient(z.object({ reason: lenientText })),
  output: lenient(z.array(itemSchema)),
  error: z.optional(z.unknown()),
});
export type ResponseBody = z.infer<typeof responseSchema>;

/** A payload of the stream, or the whole response of an endpoint without streaming; parsed leniently. */
export const eventSchema = z.object({
  type: lenientText,
  object: lenientText,
  output_index: lenientCount,
  summary_index: lenientCount,
  item: lenient(itemSchema),
  delta: lenientText,
  arguments: lenientText,
  response: z.nullish(responseSchema),
  message: lenientText,
  code: lenientText,
  error: z.optional(z.unknown()),
});
export type StreamEvent = z.infer<typeof eventSchema>;

/** Every event has a type. */
export const namedSchema = z.object({ type: z.string(), error: z.optional(z.unknown()) });

/** The payload without an envelope. */
export const wholeSchema = responseSchema;
