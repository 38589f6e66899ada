import { stripVTControlCharacters } from 'node:util';
import { widthOf } from '../lines/text-width.js';

interface NewSize {
  readonly columns: number;
  readonly rows: number;
}

interface ResizedFrame {
  readonly height: number;
  readonly place: number;
  /** Number of lines that wrapped. */
  readonly breaks: number;
}

/**
 * A lower bound of the rows from the top of the frame to the end of the screen. A terminal that grew has empty rows
 * below the frame and removes those first when it shrinks.
 */
export class FrameRoom {
  #size: NewSize;
  #rows = 0;
  #printedRows = 0;

  constructor(size: NewSize) {
    this.#size = size;
  }

  /** 0: unknown. */
  get rows(): number {
    return this.#rows;
  }

  /** Printed text moves the frame down. */
  print(text: string): void {
    if (text === '') return;
    const lines = text.split('\n').slice(0, -1);
    this.#printedRows += lines.length;
    // Fast path: usually unknown, while much is printed.
    if (this.#rows === 0) return;
    const widths = lines.map((line) => widthOf(stripVTControlCharacters(line)));
    const taken = widths.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / this.#size.columns)), 0);
    this.#rows = Math.max(0, this.#rows - taken);
  }

  resize(size: NewSize, { height, place, breaks }: ResizedFrame): void {
    const gained = size.rows - this.#size.rows;
    const before = Math.max(this.#rows, height + 1);
    // If nothing scrolled off, wrapped lines above push the frame down.
    const isPushed = size.columns < this.#size.columns && this.#printedRows <= this.#size.rows;
    // Only rows below the cursor are removed.
    const left = gained < 0 ? Math.max(place + 1, before + gained) : before + gained;
    this.#rows = isPushed ? 0 : left + breaks;
    this.#size = size;
  }
}
