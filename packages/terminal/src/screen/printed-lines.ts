import type { StyledLine } from '../lines/styled-line.js';
import { paintLine } from '../theme/paint-line.js';
import type { Theme } from '../theme/theme.js';

/** Writes text above the live part of the screen. */
export type WriteAbove = (text: string) => void;

export interface PrintedLinesOptions {
  readonly theme: () => Theme;
  readonly output: { readonly printAbove: (text: string, write: WriteAbove) => void };
}

/** The way of finished lines to the screen. What comes before the screen is there waits for it. */
export class PrintedLines {
  readonly #options: PrintedLinesOptions;
  #write: WriteAbove | undefined;
  #early = '';

  constructor(options: PrintedLinesOptions) {
    this.#options = options;
  }

  /** The screen is there, or gone again: then nothing more is shown. */
  attach(write: WriteAbove | undefined): void {
    this.#write = write;
    if (write === undefined || this.#early === '') return;
    const early = this.#early;
    this.#early = '';
    write(early);
  }

  print(lines: readonly StyledLine[]): void {
    if (lines.length === 0) return;
    const { theme: themeNow, output } = this.#options;
    const theme = themeNow();
    const text = lines.map((line) => `${paintLine(line, theme)}\n`).join('');
    if (this.#write === undefined) this.#early += text;
    else output.printAbove(text, this.#write);
  }
}
