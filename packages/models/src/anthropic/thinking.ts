import type { AssistantPart } from '../parts.js';
import { isOpaqueLine, opaqueLine, readOpaqueLines } from '../response/opaque-lines.js';

type Thinking = Extract<AssistantPart, { type: 'thinking' }>;
export type ThinkingBlock =
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string };

/** For a finished block: the length of its text, in UTF-16 units, and its signature. */
export function signatureOf(length: number, signature: string): string {
  return opaqueLine('anthropic', [length, signature]);
}

export function redactedOf(data: string): string {
  return opaqueLine('anthropic', ['redacted', data]);
}

/** The blocks as the provider sent them. Thinking without a signature is refused, so it is left out. */
export function splitThinking({ text, signature = '' }: Thinking): ThinkingBlock[] {
  if (!isOpaqueLine('anthropic', signature)) return [];
  let start = 0;
  return readOpaqueLines('anthropic', signature).flatMap((line): ThinkingBlock[] => {
    if (!Array.isArray(line) || typeof line[1] !== 'string') return [];
    const [length, proof] = line as [unknown, string];
    if (typeof length !== 'number') return [{ type: 'redacted_thinking', data: proof }];
    const thinking = text.slice(start, start + length);
    start += length;
    return [{ type: 'thinking', thinking, signature: proof }];
  });
}
