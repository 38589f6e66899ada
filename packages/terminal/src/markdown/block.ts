import type { StyledLine } from '../lines/styled-line.js';

/** What stands to the left of a block: marks of lists and quotes. Both are as wide. */
export interface Margin {
  readonly first: StyledLine;
  readonly rest: StyledLine;
}

export type Alignment = 'left' | 'right' | 'center';

/** A piece of a Markdown text that can be drawn without what follows. */
export type Block =
  | { readonly type: 'heading'; readonly level: number; readonly text: string }
  /** Words; line ends are kept. */
  | { readonly type: 'paragraph'; readonly text: string }
  | { readonly type: 'code_start'; readonly language: string }
  /** One line of code. */
  | { readonly type: 'code'; readonly text: string }
  | { readonly type: 'code_end' }
  /** Rows of cells; one without a head goes on with a table that is drawn already. */
  | {
      readonly type: 'table';
      readonly head?: readonly string[];
      readonly rows: readonly (readonly string[])[];
      readonly alignments: readonly Alignment[];
    }
  | { readonly type: 'rule' }
  | { readonly type: 'blank' };

export interface PlacedBlock {
  readonly block: Block;
  readonly margin: Margin;
}
