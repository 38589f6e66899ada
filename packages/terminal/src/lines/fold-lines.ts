import type { StyledLine } from './styled-line.js';
import { cutLine } from './wrap-line.js';

export interface FoldOptions {
  readonly columns: number;
  readonly maxLines: number;
  readonly fullKey?: string;
}

/** `alsoHidden`: further lines that were not drawn. */
export function foldEnd(
  lines: readonly StyledLine[],
  options: FoldOptions & { readonly alsoHidden?: number },
): StyledLine[] {
  const { maxLines, alsoHidden = 0 } = options;
  if (lines.length <= maxLines && alsoHidden === 0) return [...lines];
  const shown = lines.slice(0, Math.max(0, maxLines - 1));
  return [...shown, foldMark(lines.length - shown.length + alsoHidden, options)];
}

/** Gives most of the room to the end, which shows the outcome. */
export function foldMiddle(lines: readonly StyledLine[], options: FoldOptions): StyledLine[] {
  const { maxLines } = options;
  if (lines.length <= maxLines) return [...lines];
  const room = Math.max(0, maxLines - 1);
  const head = Math.floor(room / 3);
  const tail = room - head;
  const end = tail === 0 ? [] : lines.slice(-tail);
  return [...lines.slice(0, head), foldMark(lines.length - room, options), ...end];
}

function foldMark(count: number, { columns, fullKey = 'Ctrl-O' }: FoldOptions): StyledLine {
  const advice = fullKey === '' ? '' : ` (${fullKey} shows all)`;
  const text = `… ${count} more ${count === 1 ? 'line' : 'lines'}${advice}`;
  return cutLine([{ text, token: 'Gray' }], columns);
}
