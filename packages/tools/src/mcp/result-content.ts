import type { ToolResult } from '@qwen/agent';
import type { ContentBlock } from '@qwen/protocol';
import * as z from 'zod/mini';
import { cutText } from '../truncate.js';

const MAX_TEXT_BYTES = 100 * 1024;
const MAX_IMAGE_LENGTH = 8 * 1024 * 1024;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Lenient, because servers differ. */
export const callResultSchema = z.looseObject({
  content: z._default(z.array(z.looseObject({ type: z.string() })), []),
  structuredContent: z.optional(z.unknown()),
  isError: z._default(z.boolean(), false),
  /** `task`: the call goes on. */
  resultType: z.optional(z.string()),
});
export type CallResult = z.output<typeof callResultSchema>;

const blockSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image'), data: z.string(), mimeType: z.string() }),
  z.object({ type: z.literal('audio'), mimeType: z.string() }),
  z.object({ type: z.literal('resource_link'), uri: z.string() }),
  z.object({
    type: z.literal('resource'),
    resource: z.object({ uri: z.string(), text: z.optional(z.string()), mimeType: z.optional(z.string()) }),
  }),
]);

/** Links are named, never followed. An empty answer shows its structured content. */
export function toToolResult({ content, structuredContent, isError }: CallResult): ToolResult {
  const blocks = content.map(toBlock);
  if (blocks.length === 0 && structuredContent !== undefined) {
    blocks.push({ type: 'text', text: JSON.stringify(structuredContent) });
  }
  return { content: withinLimit(joinTexts(blocks)), isError };
}

function toBlock(block: CallResult['content'][number]): ContentBlock {
  const parsed = z.safeParse(blockSchema, block);
  if (!parsed.success) return named(`content of type ${JSON.stringify(block.type)} cannot be shown`);
  const { data } = parsed;
  switch (data.type) {
    case 'text':
      return { type: 'text', text: data.text };
    case 'image':
      if (!BASE64.test(data.data) || data.data.length > MAX_IMAGE_LENGTH) return named('image that cannot be shown');
      return { type: 'image', source: { type: 'base64', media_type: data.mimeType, data: data.data } };
    case 'audio':
      return named(`audio of type ${data.mimeType} cannot be shown`);
    case 'resource_link':
      return named(`link to resource ${data.uri}`);
    case 'resource':
      if (data.resource.text !== undefined) return { type: 'text', text: data.resource.text };
      return named(`resource ${data.resource.uri} is not text (${data.resource.mimeType ?? 'unknown type'})`);
  }
}

function named(words: string): ContentBlock {
  return { type: 'text', text: `[${words}]` };
}

/** A plain string is the form that every provider accepts. */
function joinTexts(blocks: readonly ContentBlock[]): string | ContentBlock[] {
  const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return texts.length === blocks.length ? texts.join('\n') : [...blocks];
}

function withinLimit(content: string | ContentBlock[]): string | ContentBlock[] {
  if (typeof content === 'string') return cutText(content, { maxBytes: MAX_TEXT_BYTES, keep: 'both' }).text;
  let left = MAX_TEXT_BYTES;
  return content.map((block) => {
    if (block.type !== 'text') return block;
    const { text } = cutText(block.text, { maxBytes: left, keep: 'both' });
    left = Math.max(0, left - Buffer.byteLength(text));
    return { ...block, text };
  });
}
