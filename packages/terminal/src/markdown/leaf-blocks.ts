import type { MarkedToken } from 'marked';
import type { Block } from './block.js';

const CELL_END = /(?<!\\)\|/;

/** The blocks of `source`, which is all of the token or a part. */
export function leafBlocks(token: MarkedToken, source: string, isContinued: boolean): readonly Block[] {
  const lines = source.trimEnd().split('\n');
  switch (token.type) {
    case 'heading':
      return [{ type: 'heading', level: token.depth, text: token.text }];
    case 'hr':
      return [{ type: 'rule' }];
    case 'code':
      return lines.map((line) => ({ type: 'code', text: line.slice(4) }));
    case 'table': {
      const table: Block = {
        type: 'table',
        alignments: token.align.map((align) => align ?? 'left'),
        rows: lines.slice(2).map(cellsOf),
      };
      return [isContinued ? table : { ...table, head: token.header.map(({ text }) => text) }];
    }
    default:
      return [{ type: 'paragraph', text: lines.map((line) => line.trim()).join('\n') }];
  }
}

/** All cells: `marked` drops those without a heading. */
function cellsOf(row: string): readonly string[] {
  const inner = row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(CELL_END).map((cell) => cell.trim().replaceAll('\\|', '|'));
}
