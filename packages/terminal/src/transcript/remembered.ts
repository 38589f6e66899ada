import type { ToolOutcome } from '@qwen/agent';
import type { CardOptions } from '../cards/card-options.js';
import { toolCard } from '../cards/result-lines.js';
import { toShownLines } from '../lines/shown-text.js';
import type { StyledLine } from '../lines/styled-line.js';
import { wrapLine } from '../lines/wrap-line.js';
import { quietLine } from './note-lines.js';

/** Kept until the next one. */
export type Remembered =
  | { readonly kind: 'thought'; readonly text: string }
  | { readonly kind: 'result'; readonly input: unknown; readonly outcome: ToolOutcome };

export function rememberedLines(remembered: Remembered | undefined, options: CardOptions): readonly StyledLine[] {
  switch (remembered?.kind) {
    case undefined:
      return [];
    case 'thought':
      return [
        quietLine('Thinking:'),
        ...toShownLines(remembered.text.trim()).flatMap((text) =>
          wrapLine([{ text, token: 'Gray', italic: true }], options.columns),
        ),
        [],
      ];
    case 'result':
      return [...toolCard(remembered, { ...options, maxLines: Number.POSITIVE_INFINITY }), []];
  }
}
