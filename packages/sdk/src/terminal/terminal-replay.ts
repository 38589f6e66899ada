import { type OutputLine, readOutputLine } from '@qwen/protocol/openai';
import { EventReader } from './event-reader.js';
import type { QwenEvent } from './events.js';
import { screenTextOf } from './screen-text.js';

export interface TerminalReplayOptions {
  /** Gets what goes on the screen, in order: `write` of an xterm.js terminal fits. Not called with nothing. */
  readonly write: (text: string) => void;
  /**
   * Say each line end as a terminal driver does, as CR LF. Default true; false for a terminal with `convertEol`, or for a
   * file.
   */
  readonly convertLineEnds?: boolean | undefined;
}

/** Puts the lines of a program on a terminal. */
export interface TerminalReplay {
  /** Takes the next line, as text, as `readOutputLine` read it, or as the event that a session made of it. */
  feed(input: string | OutputLine | QwenEvent): void;
}

/**
 * Gives a terminal the text that the program would have written to one itself in text mode (D-18), from the lines of
 * either format and in the spelling of either document (CF-11, CF-12): words of the model, the text around them, and the
 * escape sequences of both. Lines that no screen shows, and lines that cannot be read, write nothing. Runs in browsers.
 */
export function createTerminalReplay({ write, convertLineEnds = true }: TerminalReplayOptions): TerminalReplay {
  const reader = new EventReader();
  const show = (event: QwenEvent | OutputLine): void => {
    const text = screenTextOf(event);
    if (text !== '') write(convertLineEnds ? text.replaceAll('\n', '\r\n') : text);
  };
  return {
    feed(input) {
      if (typeof input === 'string') reader.read(readOutputLine(input)).forEach(show);
      else if ('line' in input) reader.read(input).forEach(show);
      else show(input);
    },
  };
}
