import { contentBlockSchema } from '@qwen/protocol';
import * as z from 'zod/mini';
import { toImageAddress } from '../conversation/answer-blocks.js';

/** What a tool answered, as far as it can be shown. */
export interface ShownResult {
  readonly text: string;
  /** `data:` addresses. */
  readonly images: readonly string[];
}

/** Text, a list of blocks, or whatever else a tool of somebody's own gives. */
export function toShownResult(content: unknown): ShownResult {
  if (typeof content === 'string') return { text: content, images: [] };
  if (content === undefined || content === null) return { text: '', images: [] };
  const { data: blocks } = z.safeParse(z.array(contentBlockSchema), content);
  if (blocks === undefined) return { text: JSON.stringify(content, undefined, 2), images: [] };
  const images = blocks.flatMap((block) => (block.type === 'image' ? (toImageAddress(block) ?? []) : []));
  return { text: blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n'), images };
}
