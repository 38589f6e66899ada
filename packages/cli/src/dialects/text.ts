import type { TextLooks } from '@qwen/host/config/terminal-look.js';
import { paint, toAnsi } from '@qwen/host/styled-output/ansi.js';
import type { Dialect } from '@qwen/host/styled-output/dialect.js';
import { failureNotice } from '@qwen/host/styled-output/output-for.js';
import { createScreen } from '@qwen/host/styled-output/screen.js';
import type { StyledOutput } from '@qwen/host/styled-output/styled-output.js';
import { TerminalTextStream, toTerminalText } from '@qwen/protocol/openai';

/** Answers go to stdout, everything else to stderr. */
export interface TextPiece {
  readonly to: 'stdout' | 'stderr';
  readonly text: string;
}

/** Streams the answer and summarizes tool calls for a person at a terminal. */
export function createText(looks: TextLooks = {}): Dialect<TextPiece> {
  const toPieces = createScreen();
  const { stdout = {}, stderr = {} } = looks;
  const answer = new TerminalTextStream();
  const show = ({ to, text, spans }: StyledOutput): TextPiece => {
    const { hasColours = false, isScreen = false } = to === 'stdout' ? stdout : stderr;
    const shown = isScreen ? toTerminalText(text) : text;
    return { to, text: hasColours ? paint(shown, toAnsi(spans)) : shown };
  };
  const toText = (output: StyledOutput): TextPiece[] => {
    const rest = answer.flush();
    return [...(rest === '' ? [] : [{ to: 'stdout', text: rest } as const]), show(output)];
  };
  return (event) =>
    toPieces(event).flatMap((piece): TextPiece[] => {
      switch (piece.type) {
        case 'answer':
          return [{ to: 'stdout', text: stdout.isScreen === true ? answer.push(piece.text) : piece.text }];
        case 'styledOutput':
          return toText(piece.styledOutput);
        case 'failure':
          return toText(failureNotice([`${piece.failure.mark}${piece.failure.words}`, '\n']));
      }
    });
}
