import * as z from 'zod/mini';
import { lenient, lenientCount, lenientText } from '../json.js';

const partSchema = z.object({
  text: lenientText,
  thought: lenient(z.boolean()),
  thoughtSignature: lenientText,
  functionCall: z.nullish(z.object({ id: lenientText, name: lenientText, args: z.optional(z.unknown()) })),
});
export type ContentPart = z.infer<typeof partSchema>;

const usageSchema = z.object({
  promptTokenCount: lenientCount,
  cachedContentTokenCount: lenientCount,
  candidatesTokenCount: lenientCount,
  thoughtsTokenCount: lenientCount,
  toolUsePromptTokenCount: lenientCount,
  totalTokenCount: lenientCount,
});
/** Cumulative in each chunk. */
export type ChunkUsage = z.infer<typeof usageSchema>;

const candidateSchema = z.object({
  content: z.nullish(z.object({ parts: z.nullish(z.array(partSchema)) })),
  finishReason: lenientText,
});

/** A payload of the stream, parsed leniently. */
export const chunkSchema = z.object({
  candidates: z.nullish(z.array(candidateSchema)),
  promptFeedback: z.nullish(z.object({ blockReason: lenientText })),
  usageMetadata: lenient(usageSchema),
  responseId: lenientText,
  modelVersion: lenientText,
  error: z.optional(z.unknown()),
});
export type Chunk = z.infer<typeof chunkSchema>;
