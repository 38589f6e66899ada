import type { TextLooks } from '@qwen/host/config/terminal-look.js';
import { paint, toAnsi } from '@qwen/host/remarks/ansi.js';
import type { Dialect } from '@qwen/host/remarks/dialect.js';
import type { Remark } from '@qwen/host/remarks/remark.js';
import { failureRemark } from '@qwen/host/remarks/remark-on.js';
import { createScreen } from '@qwen/host/remarks/screen.js';
import { toTerminalText } from '@qwen/protocol/openai';

/** Answers go to stdout, everything else to stderr. */
export interface TextPiece {
  readonly to: 'stdout' | 'stderr';
  readonly text: string;
}

/** Streams the answer and summarizes tool calls for a person at a terminal. */
export function createText(looks: TextLooks = {}): Dialect<TextPiece> {
  const toPieces = createScreen();
  const { stdout = {}, stderr = {} } = looks;
  const show = ({ to, text, spans }: Remark): TextPiece => {
    const { hasColours = false, isScreen = false } = to === 'stdout' ? stdout : stderr;
    const shown = isScreen ? toTerminalText(text) : text;
    return { to, text: hasColours ? paint(shown, toAnsi(spans)) : shown };
  };
  return (event) =>
    toPieces(event).map((piece): TextPiece => {
      switch (piece.type) {
        case 'answer':
          return { to: 'stdout', text: stdout.isScreen === true ? toTerminalText(piece.text) : piece.text };
        case 'remark':
          return show(piece.remark);
        case 'failure':
          return show(failureRemark([`${piece.failure.mark}${piece.failure.words}`, '\n']));
      }
    });
}
