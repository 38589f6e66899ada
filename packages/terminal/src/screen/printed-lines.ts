import type { StyledLine } from '../lines/styled-line.js';
import { paintLine } from '../theme/paint-line.js';
import type { Theme } from '../theme/theme.js';

export type WriteAbove = (text: string) => void;

export interface PrintedLinesOptions {
  readonly theme: () => Theme;
  /** Whether the terminal shows links. Default false. */
  readonly hasLinks?: boolean;
  readonly output: { readonly printAbove: (text: string, write: WriteAbove) => void };
}

/** Prints finished lines; buffers them until the screen exists. */
export class PrintedLines {
  readonly #options: PrintedLinesOptions;
  #write: WriteAbove | undefined;
  #early = '';

  constructor(options: PrintedLinesOptions) {
    this.#options = options;
  }

  /** Attaches the screen, or detaches it: then nothing more is printed. */
  attach(write: WriteAbove | undefined): void {
    this.#write = write;
    if (write === undefined || this.#early === '') return;
    const early = this.#early;
    this.#early = '';
    write(early);
  }

  print(lines: readonly StyledLine[]): void {
    if (lines.length === 0) return;
    const { theme: themeNow, output, hasLinks = false } = this.#options;
    const theme = themeNow();
    const text = lines.map((line) => `${paintLine(line, theme, { hasLinks })}\n`).join('');
    if (this.#write === undefined) this.#early += text;
    else output.printAbove(text, this.#write);
  }
}
