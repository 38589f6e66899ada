import type { ContentBlock } from '@qwen/protocol';

/** The block as its increments begin with it (R-27 … R-29). Blocks that come in one piece are given as they are. */
export function emptyBlock(block: ContentBlock): ContentBlock {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: '' };
    case 'thinking':
      return { type: 'thinking', thinking: '' };
    case 'tool_use':
      return { type: 'tool_use', id: block.id, name: block.name, input: {} };
    default:
      return block;
  }
}
