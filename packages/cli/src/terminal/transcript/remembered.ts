import type { ToolOutcome } from '@qwen/agent';
import { toPlainText } from '../../dialects/remarks/remark-on.js';
import { readStyledText } from '../../dialects/remarks/styled-text.js';
import { toShownLines } from '../lines/shown-text.js';
import type { StyledLine } from '../lines/styled-line.js';
import { chopLine, wrapLine } from '../lines/wrap-line.js';
import { quietLine } from './note-lines.js';

/** What the screen shows in short: it is kept until the next one comes. */
export type Remembered =
  | { readonly kind: 'thought'; readonly text: string }
  | { readonly kind: 'result'; readonly outcome: ToolOutcome };

/** All of it. */
export function rememberedLines(remembered: Remembered | undefined, columns: number): readonly StyledLine[] {
  switch (remembered?.kind) {
    case undefined:
      return [];
    case 'thought':
      return [
        quietLine('What the model thought:'),
        ...toShownLines(remembered.text.trim()).flatMap((text) =>
          wrapLine([{ text, token: 'Gray', italic: true }], columns),
        ),
        [],
      ];
    case 'result': {
      const { name, content } = remembered.outcome;
      const { text } = readStyledText(toPlainText(content));
      return [
        quietLine(`What ${name} gave:`),
        ...toShownLines(text.trimEnd()).flatMap((line) => chopLine([{ text: line }], columns)),
        [],
      ];
    }
  }
}
