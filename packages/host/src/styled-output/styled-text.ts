import { type AnsiItem, toTerminalText } from '@qwen/protocol/openai';

export interface StyledText {
  readonly text: string;
  readonly ansi: readonly AnsiItem[];
}

/** A longer incomplete sequence is treated as text. */
const SEQUENCE_LENGTH = 4_096;

// Sequences with parameters, strings (titles, links) and short ones.
const SEQUENCE =
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for.
  /\u001b(?:\[[\u0030-\u003f]*[\u0020-\u002f]*[\u0040-\u007e]|[\]P^_X][^\u0007\u001b]*(?:\u0007|\u001b\\)|[\u0020-\u002f]*[\u0030-\u004f\u0051-\u0057\u0059\u005a\u0060-\u007e])/g;
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for.
const COLOUR = /^\u001b\[[\d;:]*m$/;
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for.
const UNFINISHED = /(?:\u001b(?:\[[\u0020-\u003f]*|[\]P^_X][^\u0007\u001b]*\u001b?|[\u0020-\u002f]*)|\r+)$/;
const RESETS: ReadonlySet<string> = new Set(['\u001b[m', '\u001b[0m', '\u001b[00m']);

/**
 * Reads tool output in pieces: keeps colours, drops other control sequences, and turns an overwritten line into a
 * separate line.
 */
export class StyledReader {
  #held = '';
  #isColoured = false;

  take(piece: string): StyledText {
    const all = this.#held + piece;
    const unfinished = UNFINISHED.exec(all);
    const end = unfinished === null || all.length - unfinished.index > SEQUENCE_LENGTH ? all.length : unfinished.index;
    this.#held = all.slice(end);
    return this.#read(all.slice(0, end));
  }

  /** The rest; resets colours. */
  end(): StyledText {
    const { text, ansi } = this.#read(this.#held);
    this.#held = '';
    if (!this.#isColoured) return { text, ansi };
    this.#isColoured = false;
    return { text, ansi: [...ansi, { offset: text.length, sequence: '\u001b[0m' }] };
  }

  #read(printed: string): StyledText {
    const ansi: AnsiItem[] = [];
    let text = '';
    let done = 0;
    for (const { 0: sequence, index } of printed.matchAll(SEQUENCE)) {
      text += toPlain(printed.slice(done, index));
      done = index + sequence.length;
      if (!COLOUR.test(sequence)) continue;
      ansi.push({ offset: text.length, sequence });
      this.#isColoured = !RESETS.has(sequence);
    }
    return { text: text + toPlain(printed.slice(done)), ansi };
  }
}

/** The same for a complete text. */
export function readStyledText(printed: string): StyledText {
  const reader = new StyledReader();
  const body = reader.take(printed);
  const rest = reader.end();
  const ansi = rest.ansi.map(({ offset, sequence }) => ({ offset: body.text.length + offset, sequence }));
  return { text: body.text + rest.text, ansi: [...body.ansi, ...ansi] };
}

function toPlain(text: string): string {
  return toTerminalText(text.replaceAll(/\r+\n|\r/g, '\n'));
}
