import type { UserPart } from '@qwen/models';
import type { ContentBlock } from '@qwen/protocol';

/** What the model can read of a prompt or a tool's result: text and images; other blocks are left out. */
export function toUserParts(content: string | readonly ContentBlock[]): UserPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  const parts = content.flatMap(toUserPart);
  // An empty message is refused by providers and would make the whole session unusable.
  return parts.length > 0 ? parts : [{ type: 'text', text: '' }];
}

function toUserPart(block: ContentBlock): UserPart[] {
  if (block.type === 'text') return [{ type: 'text', text: block.text }];
  if (block.type !== 'image') return [];
  const { source } = block;
  return source.type === 'url'
    ? [{ type: 'image_url', url: source.url }]
    : [{ type: 'image', mediaType: source.media_type, data: source.data }];
}
