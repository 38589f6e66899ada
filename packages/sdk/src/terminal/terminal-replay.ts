import { type AnsiItem, type OutputLine, readOutputLine, toTerminalText } from '@qwen/protocol/openai';
import { EventReader } from './event-reader.js';
import type { QwenEvent } from './events.js';

export interface TerminalReplayOptions {
  /** Receives terminal output in order, such as `write` of an xterm.js terminal. Never called with an empty string. */
  readonly write: (text: string) => void;
  /** Writes line ends as CR LF. Default: true; set false for a terminal with `convertEol`, or a file. */
  readonly convertLineEnds?: boolean | undefined;
}

/** Writes lines of the openai dialect to a terminal. */
export interface TerminalReplay {
  /** Takes the next line: as text, as read by `readOutputLine`, or as an event of a session. */
  feed(input: string | OutputLine | QwenEvent): void;
}

/**
 * Reproduces what the CLI would have written to a terminal in text mode, from lines of either format. Lines without
 * visible output and unreadable lines write nothing. Runs in browsers.
 *
 * @example
 * import { openSession } from '@qwen/sdk';
 * import { createTerminalReplay } from '@qwen/sdk/terminal';
 * import { Terminal } from '@xterm/xterm';
 *
 * const terminal = new Terminal();
 * const replay = createTerminalReplay({ write: (text) => terminal.write(text) });
 * await using session = await openSession();
 * for await (const event of session.events()) replay.feed(event);
 */
export function createTerminalReplay({ write, convertLineEnds = true }: TerminalReplayOptions): TerminalReplay {
  const reader = new EventReader();
  const show = (event: QwenEvent | OutputLine): void => {
    const text = terminalTextOf(event);
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

/** Only the annotated escape sequences reach the terminal; those inside the text are made visible. */
function terminalTextOf(event: QwenEvent | OutputLine): string {
  switch (event.kind) {
    case 'text':
      return withSequences(
        event.text,
        event.terminal.flatMap(({ ansi }) => ansi),
      );
    case 'terminal':
      return withSequences(event.text, event.terminal.ansi);
    case 'ansi':
      return event.value;
    default:
      return '';
  }
}

/** Inserts each sequence before the code unit at its offset; equal offsets keep their order. */
function withSequences(text: string, items: readonly AnsiItem[]): string {
  let written = 0;
  let output = '';
  for (const { offset, sequence } of items.toSorted((one, other) => one.offset - other.offset)) {
    const end = Math.min(Math.max(offset, written), text.length);
    output += toTerminalText(text.slice(written, end)) + sequence;
    written = end;
  }
  return output + toTerminalText(text.slice(written));
}
