import type { StyledLine } from '../lines/styled-line.js';
import type { PlacedBlock } from './block.js';
import { BlockReader } from './block-reader.js';
import { type DrawOptions, drawBlock } from './draw-block.js';
import { type CodePainter, codePainter, PLAIN_CODE } from './highlight/code-painter.js';

/** So much of a line that is not over is shown while it comes, in UTF-16 units. */
const DRAFT_LENGTH = 8_192;

/**
 * Markdown that comes in pieces, as lines for a screen. However a text is parted, the lines are the same; a line that was
 * given never changes. Memory is bounded but for a single line, time is linear.
 */
export class MarkdownStream {
  /** May change between two calls; it counts for the lines that come then. */
  columns: number;
  readonly #isScreenReader: boolean;
  readonly #reader = new BlockReader();
  #paintCode: CodePainter = PLAIN_CODE;
  /** Lines that were read and not drawn yet. */
  #waiting: string[] = [];
  #rest = '';

  constructor({ columns, isScreenReader = false }: DrawOptions) {
    this.columns = columns;
    this.#isScreenReader = isScreenReader;
  }

  /** Takes the next piece and gives the lines that are final now. */
  push(delta: string): StyledLine[] {
    const [first = '', ...others] = delta.split('\n');
    this.#rest += first;
    const drawn: StyledLine[] = [];
    for (const next of others) {
      this.#readLine(drawn);
      this.#rest = next;
    }
    return drawn;
  }

  /**
   * What is not final yet, as Markdown of its own; of a very long line the end. For `draftLines`, which shows it.
   */
  get draft(): string {
    const fence = this.#reader.openFence;
    return [...(fence === undefined ? [] : [fence]), ...this.#waiting, this.#rest.slice(-DRAFT_LENGTH)].join('\n');
  }

  /** The text is over: gives the lines that are left. */
  end(): StyledLine[] {
    const drawn: StyledLine[] = [];
    if (this.#rest !== '') this.#readLine(drawn);
    this.#rest = '';
    this.#waiting = [];
    this.#draw(this.#reader.end(), drawn);
    return drawn;
  }

  #readLine(drawn: StyledLine[]): void {
    const line = this.#rest.replace(/(?<!\r)\r+$/, '');
    const blocks = this.#reader.take(line);
    if (!this.#reader.isInsideText) this.#waiting = [];
    else if (blocks.length > 0) this.#waiting = [line];
    else this.#waiting.push(line);
    this.#draw(blocks, drawn);
  }

  #draw(blocks: readonly PlacedBlock[], drawn: StyledLine[]): void {
    for (const placed of blocks) {
      if (placed.block.type === 'code_start') this.#paintCode = codePainter(placed.block.language);
      if (placed.block.type === 'code_end') this.#paintCode = PLAIN_CODE;
      const { columns } = this;
      const options = { columns, isScreenReader: this.#isScreenReader, paintCode: this.#paintCode };
      for (const line of drawBlock(placed, options)) drawn.push(line);
    }
  }
}

/** A whole text. */
export function markdownLines(text: string, options: DrawOptions): StyledLine[] {
  const stream = new MarkdownStream(options);
  return [...stream.push(text), ...stream.end()];
}

/** The last lines of what a stream has not made final, for the live part of the screen. */
export function draftLines(draft: string, options: DrawOptions & { readonly maxLines: number }): StyledLine[] {
  return markdownLines(draft, options).slice(-options.maxLines);
}
