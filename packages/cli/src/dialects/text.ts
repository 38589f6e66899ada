import { toTerminalText } from '@qwen/protocol/openai';
import type { Dialect } from './dialect.js';
import { paint, toAnsi } from './remarks/ansi.js';
import type { Remark } from './remarks/remark.js';
import { failureRemark } from './remarks/remark-on.js';
import { createScreen } from './remarks/screen.js';

/** A piece of what a person reads: the answer goes to stdout, everything around it to stderr. */
export interface TextPiece {
  readonly to: 'stdout' | 'stderr';
  readonly text: string;
}

/** What is at the other end of an output. */
export interface TextLook {
  /** Remarks are painted. Default false. */
  readonly hasColours?: boolean;
  /** A screen, which the words of the model must not steer. Default false: they are data and stay as they came. */
  readonly isScreen?: boolean;
}

/** Of each output. */
export type TextLooks = Partial<Record<TextPiece['to'], TextLook>>;

/** What a person reads who gives one prompt and waits: the words as they come, and in short what the tools do. */
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
