import type { StyledLine } from '../lines/styled-line.js';
import type { PlacedBlock } from './block.js';
import { BlockReader } from './block-reader.js';
import { type CodePainter, codePainter, PLAIN_CODE } from './code-painter.js';
import { type DrawOptions, drawBlock } from './draw-block.js';

/** UTF-16 units of an unfinished line that are shown. */
const DRAFT_LENGTH = 8_192;

/**
 * Renders streamed Markdown. The lines do not depend on the chunking and never change once emitted. Memory is
 * bounded except for a single line; time is linear.
 */
export class MarkdownStream {
  /** May change between calls; applies to later lines. */
  columns: number;
  readonly #isScreenReader: boolean;
  readonly #reader = new BlockReader();
  #paintCode: CodePainter = PLAIN_CODE;
  #rest = '';

  constructor({ columns, isScreenReader = false }: DrawOptions) {
    this.columns = columns;
    this.#isScreenReader = isScreenReader;
  }

  /** Returns the lines that are now final. */
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

  /** The pending text as standalone Markdown (the end of a very long line), for `draftLines`. */
  get draft(): string {
    return this.#reader.draft + this.#rest.slice(-DRAFT_LENGTH);
  }

  end(): StyledLine[] {
    const drawn: StyledLine[] = [];
    if (this.#rest !== '') this.#readLine(drawn);
    this.#rest = '';
    this.#draw(this.#reader.end(), drawn);
    return drawn;
  }

  #readLine(drawn: StyledLine[]): void {
    this.#draw(this.#reader.take(this.#rest.replace(/(?<!\r)\r+$/, '')), drawn);
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

export function markdownLines(text: string, options: DrawOptions): StyledLine[] {
  const stream = new MarkdownStream(options);
  return [...stream.push(text), ...stream.end()];
}

/** The last pending lines of a stream, for the live part. */
export function draftLines(draft: string, options: DrawOptions & { readonly maxLines: number }): StyledLine[] {
  return markdownLines(draft, options).slice(-options.maxLines);
}
