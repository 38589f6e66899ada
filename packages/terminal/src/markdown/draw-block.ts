import { toShown } from '../lines/shown-text.js';
import type { StyledLine } from '../lines/styled-line.js';
import { lineWidth } from '../lines/text-width.js';
import { chopLine, wrapLine } from '../lines/wrap-line.js';
import type { Block, Margin, PlacedBlock } from './block.js';
import type { CodePainter } from './code-painter.js';
import { drawTable } from './draw-table.js';
import { inlineLines } from './inline.js';

export interface DrawOptions {
  readonly columns: number;
  readonly isScreenReader?: boolean;
}

/** Too narrow to read: the margin is dropped, except markers. */
const FEWEST_COLUMNS = 16;
const CODE_INDENT = 2;
const LONGEST_RULE = 60;

export function drawBlock(
  placed: PlacedBlock,
  options: DrawOptions & { readonly paintCode: CodePainter },
): StyledLine[] {
  const { columns, isScreenReader = false } = options;
  const margin = isScreenReader ? spokenMargin(placed.margin) : placed.margin;
  const room = columns - lineWidth(margin.first);
  const hasMargin = room >= FEWEST_COLUMNS;
  const lines = drawInside(placed.block, { ...options, columns: hasMargin ? room : columns });
  if (hasMargin) return withMargin(lines, margin);
  const [first = [], ...rest] = lines;
  return lines.length === 0 ? [] : [...wrapLine([...margin.first, ...first], columns), ...rest];
}

const SPOKEN_MARKS: ReadonlyMap<string, string> = new Map([
  ['│ ', 'Quote: '],
  ['[x] ', 'Done: '],
  ['[ ] ', 'Open: '],
]);

/** Screen readers get markers once and no decoration. */
function spokenMargin({ first }: Margin): Margin {
  const said = first.filter(({ text }) => text.trim() !== '');
  return { first: said.map(({ text }) => ({ text: SPOKEN_MARKS.get(text) ?? text })), rest: [] };
}

function drawInside(block: Block, options: DrawOptions & { readonly paintCode: CodePainter }): StyledLine[] {
  const { columns, isScreenReader = false, paintCode } = options;
  switch (block.type) {
    case 'heading':
      return inlineLines(block.text, { bold: true, token: headingToken(block.level) })
        .map((line): StyledLine => (isScreenReader ? [{ text: `Heading ${block.level}: ` }, ...line] : line))
        .flatMap((line) => wrapLine(line, columns));
    case 'paragraph':
      return inlineLines(block.text).flatMap((line) => wrapLine(line, columns));
    case 'code_start':
      return isScreenReader ? wrapLine([{ text: toShown(`Code ${block.language}`.trim()) }], columns) : [];
    case 'code':
      if (columns < FEWEST_COLUMNS) return chopLine(paintCode(block.text), columns);
      return withMargin(chopLine(paintCode(block.text), columns - CODE_INDENT), CODE_MARGIN);
    case 'code_end':
      return isScreenReader ? [[{ text: 'End of code' }]] : [];
    case 'table':
      return drawTable(block, { columns, asRecords: isScreenReader });
    case 'rule':
      return isScreenReader ? [[]] : [[{ text: '─'.repeat(Math.min(columns, LONGEST_RULE)), token: 'Gray' }]];
    case 'blank':
      return [[]];
  }
}

const CODE_MARGIN: Margin = { first: [{ text: ' '.repeat(CODE_INDENT) }], rest: [{ text: ' '.repeat(CODE_INDENT) }] };

function headingToken(level: number): 'AccentPurple' | 'AccentBlue' {
  return level === 1 ? 'AccentPurple' : 'AccentBlue';
}

function withMargin(lines: readonly StyledLine[], { first, rest }: Margin): StyledLine[] {
  return lines.map((line, index) => [...(index === 0 ? first : rest), ...line]);
}
