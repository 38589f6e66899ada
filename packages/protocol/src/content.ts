import * as z from 'zod/mini';
import { lazySchema } from './lazy-schema.js';
import { openObject } from './open-object.js';
import { openUnion } from './open-union.js';

export const textBlockSchema = lazySchema(() => openObject({ type: z.literal('text'), text: z.string() }));
export type TextBlock = z.infer<typeof textBlockSchema>;

/** Reasoning of the model. Some providers require it back with its `signature`. */
export const thinkingBlockSchema = lazySchema(() =>
  openObject({
    type: z.literal('thinking'),
    thinking: z.string(),
    signature: z.optional(z.string()),
  }),
);
export type ThinkingBlock = z.infer<typeof thinkingBlockSchema>;

/**
 * A tool call. `id` links it to exactly one result. `input` is an object; truncated arguments remain a string, and
 * such a call never ran. Some providers require `signature` back unchanged.
 */
export const toolUseBlockSchema = lazySchema(() =>
  openObject({
    type: z.literal('tool_use'),
    id: z.string(),
    name: z.string(),
    input: z.unknown(),
    signature: z.optional(z.string()),
    /** The tool name on the wire, if `name` is another: of a wrapped call, or with `toolNames: 'claude'`. */
    raw_name: z.optional(z.string()),
  }),
);
export type ToolUseBlock = z.infer<typeof toolUseBlockSchema>;

/** An image as base64 or URL. `media_type` is a MIME type such as `image/png`. */
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

/** Default of `is_error`: false. */
export const toolResultBlockSchema = lazySchema(() =>
  openObject({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: z.optional(z.union([z.string(), z.array(toolResultPartSchema)])),
    is_error: z.optional(z.boolean()),
  }),
);
export type ToolResultBlock = z.infer<typeof toolResultBlockSchema>;

/** Part of a message. Unknown kinds are accepted unchanged. */
export const contentBlockSchema = lazySchema(() =>
  openUnion(
    ['text', 'thinking', 'tool_use', 'tool_result', 'image'],
    [textBlockSchema, thinkingBlockSchema, toolUseBlockSchema, toolResultBlockSchema, imageBlockSchema],
  ),
);
export type ContentBlock = z.infer<typeof contentBlockSchema>;

/** The text blocks of a message, joined by `separator`. */
export function contentText(content: string | readonly ContentBlock[], separator = '\n'): string {
  if (typeof content === 'string') return content;
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(separator);
}

export const FILES_HEADING = 'Files referenced in the message above:';

/** An increment of a content block. */
export const deltaSchema = lazySchema(() =>
  openUnion(
    ['text_delta', 'thinking_delta', 'signature_delta', 'input_json_delta'],
    [
      openObject({ type: z.literal('text_delta'), text: z.string() }),
      openObject({ type: z.literal('thinking_delta'), thinking: z.string() }),
      openObject({ type: z.literal('signature_delta'), signature: z.string() }),
      openObject({ type: z.literal('input_json_delta'), partial_json: z.string() }),
    ],
  ),
);
export type ContentDelta = z.infer<typeof deltaSchema>;
