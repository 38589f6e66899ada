import * as z from 'zod/mini';
import { lazySchema } from './lazy-schema.js';
import { openObject } from './open-object.js';
import { openUnion } from './open-union.js';

/** Words meant for the reader. */
export const textBlockSchema = lazySchema(() => openObject({ type: z.literal('text'), text: z.string() }));
export type TextBlock = z.infer<typeof textBlockSchema>;

/** The model's reasoning. `signature` proves it to providers that want it back unchanged. */
export const thinkingBlockSchema = lazySchema(() =>
  openObject({
    type: z.literal('thinking'),
    thinking: z.string(),
    signature: z.optional(z.string()),
  }),
);
export type ThinkingBlock = z.infer<typeof thinkingBlockSchema>;

/**
 * The model asks for a tool. `id` joins it to exactly one tool result. `input` is an object; a call whose
 * arguments were not whole keeps their text as a string, and never ran. `signature` is an opaque proof that
 * some providers want back unchanged.
 */
export const toolUseBlockSchema = lazySchema(() =>
  openObject({
    type: z.literal('tool_use'),
    id: z.string(),
    name: z.string(),
    input: z.unknown(),
    signature: z.optional(z.string()),
    /** The name on the wire, where a peer's CLI wrapped the call in a tool of its own. */
    raw_name: z.optional(z.string()),
  }),
);
export type ToolUseBlock = z.infer<typeof toolUseBlockSchema>;

/** An image, as base64 bytes or by address. `media_type` is a MIME type such as `image/png`. */
export const imageBlockSchema = lazySchema(() =>
  openObject({
    type: z.literal('image'),
    source: z.discriminatedUnion('type', [
      openObject({ type: z.literal('base64'), media_type: z.string(), data: z.string() }),
      openObject({ type: z.literal('url'), url: z.string() }),
    ]),
  }),
);
export type ImageBlock = z.infer<typeof imageBlockSchema>;

const toolResultPartSchema = lazySchema(() => openUnion(['text', 'image'], [textBlockSchema, imageBlockSchema]));

/** What a tool answered. A missing `is_error` means it went well. */
export const toolResultBlockSchema = lazySchema(() =>
  openObject({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: z.optional(z.union([z.string(), z.array(toolResultPartSchema)])),
    is_error: z.optional(z.boolean()),
  }),
);
export type ToolResultBlock = z.infer<typeof toolResultBlockSchema>;

/** One piece of a message. Blocks of a kind that is not listed here pass as they came. */
export const contentBlockSchema = lazySchema(() =>
  openUnion(
    ['text', 'thinking', 'tool_use', 'tool_result', 'image'],
    [textBlockSchema, thinkingBlockSchema, toolUseBlockSchema, toolResultBlockSchema, imageBlockSchema],
  ),
);
export type ContentBlock = z.infer<typeof contentBlockSchema>;
