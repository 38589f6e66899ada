import type { ContentBlock, ImageBlock } from '@qwen/protocol';
import type { Fragment } from '@qwen/protocol/server';
import type { Block } from './conversation.js';

/** `isOpen`: increments follow. */
export function toBlock(block: ContentBlock, { isOpen }: { readonly isOpen: boolean }): Block {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'thinking':
      return { type: 'thinking', thinking: block.thinking, isOpen };
    case 'tool_use':
      return {
        type: 'tool',
        toolUseId: block.id,
        name: block.name,
        // An open block always starts with an empty input.
        input: isOpen ? undefined : block.input,
        inputText: '',
      };
    case 'image': {
      const address = toImageAddress(block);
      return address === undefined ? { type: 'unknown' } : { type: 'image', address };
    }
    default:
      return { type: 'unknown' };
  }
}

/** Sets a block; missing ones before it become `unknown`. */
export function putBlock(blocks: readonly Block[], index: number, block: Block): readonly Block[] {
  if (index < blocks.length) return blocks.with(index, block);
  const missing = Array.from({ length: index - blocks.length }, (): Block => ({ type: 'unknown' }));
  return [...blocks, ...missing, block];
}

/** Ignores a fragment of another kind; the complete message corrects the block. */
export function appendFragment(blocks: readonly Block[], index: number, fragment: Fragment): readonly Block[] {
  const block = blocks[index];
  if (block === undefined) return blocks;
  const grown = grow(block, fragment);
  return grown === block ? blocks : blocks.with(index, grown);
}

function grow(block: Block, fragment: Fragment): Block {
  if (block.type === 'text' && fragment.type === 'text_delta') return { ...block, text: block.text + fragment.text };
  if (block.type === 'thinking' && fragment.type === 'thinking_delta') {
    return { ...block, thinking: block.thinking + fragment.thinking };
  }
  if (block.type === 'tool' && fragment.type === 'input_json_delta') {
    return { ...block, inputText: block.inputText + fragment.partial_json };
  }
  return block;
}

const SHOWN_IMAGES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Only inline images: loading a remote one would reveal the user. */
export function toImageAddress({ source }: ImageBlock): string | undefined {
  if (source.type !== 'base64' || !SHOWN_IMAGES.has(source.media_type)) return undefined;
  return `data:${source.media_type};base64,${source.data}`;
}
