import type { AgentEvent } from '@qwen/agent';
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

/**
 * Prints answers and summarizes tool calls. On a screen, answers stream; otherwise each is printed when it ends, because
 * one that breaks off and is requested again cannot be taken back.
 */
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
  const toTexts = (event: AgentEvent) =>
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
  return stdout.isScreen === true ? toTexts : holdAnswers(toTexts);
}

/** In characters. Longer answers stream, so that a closed pipe is noticed. */
const MAX_HELD = 64 * 1024;

function holdAnswers(toTexts: Dialect<TextPiece>): Dialect<TextPiece> {
  let held: TextPiece[] = [];
  let length = 0;
  let mayBeDiscarded = false;
  return (event) => {
    if (event.type === 'turn_end') mayBeDiscarded = false;
    else if ('parentToolUseId' in event && event.parentToolUseId === null) {
      if (event.type === 'block_delta' && event.kind === 'text') mayBeDiscarded = true;
      if (event.type === 'message_end' && event.stopReason !== 'error') mayBeDiscarded = false;
      if (event.type === 'notice' && event.code === 'answer_discarded') {
        mayBeDiscarded = false;
        held = held.filter(({ to }) => to === 'stderr');
      }
    }
    const pieces = toTexts(event);
    length = mayBeDiscarded ? pieces.reduce((sum, { text }) => sum + text.length, length) : 0;
    held.push(...pieces);
    if (mayBeDiscarded && length <= MAX_HELD) return [];
    const ready = held;
    held = [];
    return ready;
  };
}
