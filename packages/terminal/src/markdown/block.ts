import type { StyledLine } from '../lines/styled-line.js';

/** List and quote markers to the left of a block. Both have the same width. */
export interface Margin {
  readonly first: StyledLine;
  readonly rest: StyledLine;
}

export type Alignment = 'left' | 'right' | 'center';

/** Can be drawn without what follows. */
export type Block =
  | { readonly type: 'heading'; readonly level: number; readonly text: string }
  | { readonly type: 'paragraph'; readonly text: string }
  | { readonly type: 'code_start'; readonly language: string }
  | { readonly type: 'code'; readonly text: string }
  | { readonly type: 'code_end' }
  /** Without a head, it continues the previous table. */
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
