import { stripVTControlCharacters } from 'node:util';
import { widthOf } from '../lines/text-width.js';

interface NewSize {
  readonly columns: number;
  readonly rows: number;
}

interface ResizedFrame {
  /** Lines as they were drawn. */
  readonly height: number;
  /** The line that the cursor was on. */
  readonly place: number;
  /** So many lines became two. */
  readonly breaks: number;
}

/**
 * How many rows there are at least from the top of the frame to the end of the screen. A terminal that has become higher
 * has empty rows below the frame, and takes those away first when it becomes lower again.
 */
export class FrameRoom {
  #size: NewSize;
  #rows = 0;
  #printedRows = 0;

  constructor(size: NewSize) {
    this.#size = size;
  }

  /** 0 when nothing is known. */
  get rows(): number {
    return this.#rows;
  }

  /** Text was printed above the frame, which moved down by that. */
  print(text: string): void {
    if (text === '') return;
    const lines = text.split('\n').slice(0, -1);
    this.#printedRows += lines.length;
    // Mostly nothing is known, and much is printed.
    if (this.#rows === 0) return;
    const widths = lines.map((line) => widthOf(stripVTControlCharacters(line)));
    const taken = widths.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / this.#size.columns)), 0);
    this.#rows = Math.max(0, this.#rows - taken);
  }

  /** The terminal has this size now, and broke lines of the frame. */
  resize(size: NewSize, { height, place, breaks }: ResizedFrame): void {
    const gained = size.rows - this.#size.rows;
    const before = Math.max(this.#rows, height + 1);
    // While nothing scrolled away, lines above that are broken now push the frame down.
    const isPushed = size.columns < this.#size.columns && this.#printedRows <= this.#size.rows;
    // No rows are taken away but those below the cursor.
    const left = gained < 0 ? Math.max(place + 1, before + gained) : before + gained;
    this.#rows = isPushed ? 0 : left + breaks;
    this.#size = size;
  }
}
