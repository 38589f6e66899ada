import { toShown } from '../lines/shown-text.js';
import { widthOf } from '../lines/text-width.js';
import { type Atoms, isAtom } from './atoms.js';
import { borders } from './grapheme-borders.js';

/** Atoms appear as their labels. */
export interface Layout {
  readonly columns: number;
  readonly atoms: Atoms;
}

/** Span of a line in UTF-16 units. */
export interface Row {
  readonly start: number;
  readonly end: number;
}

const PLAIN = /^[ -~]*$/;

/** Invisible characters appear as code points, atoms as labels. */
export function shownAs(character: string, { columns, atoms }: Layout): string {
  if (!isAtom(character)) return toShown(character);
  const label = atoms.get(character)?.label ?? '';
  return label.slice(0, columns) || '?';
}

/** Fast path: Han and Hangul. */
function isPlainWide(character: string): boolean {
  return character.length === 1 && /[\u4e00-\u9fff\uac00-\ud7a3]/.test(character);
}

/**
 * Returns at least one row and covers every character once. Prefers to break after a blank, which may overhang by
 * one column; otherwise a row is too wide only if its single character is.
 */
export function wrapText(line: string, layout: Layout): readonly Row[] {
  const { columns } = layout;
  if (line.length <= columns && PLAIN.test(line)) return [{ start: 0, end: line.length }];
  const rows: Row[] = [];
  let start = 0;
  let width = 0;
  // Offset after the last blank in this row; 0: none.
  let breakAt = 0;
  let breakWidth = 0;
  let at = 0;
  for (const end of borders(line, 0, line.length)) {
    const character = line.slice(at, end);
    const characterWidth = isPlainWide(character) ? 2 : widthOf(shownAs(character, layout));
    if (character === ' ' && width === columns) {
      rows.push({ start, end });
      start = end;
      width = 0;
      breakAt = 0;
      at = end;
      continue;
    }
    if (width + characterWidth > columns && at > start) {
      const rowEnd = breakAt > start ? breakAt : at;
      rows.push({ start, end: rowEnd });
      width = rowEnd === at ? 0 : width - breakWidth;
      start = rowEnd;
      breakAt = 0;
      if (width + characterWidth > columns && at > start) {
        rows.push({ start, end: at });
        start = at;
        width = 0;
      }
    }
    width += characterWidth;
    // Wide scripts break anywhere.
    if (character === ' ' || character === '\t' || (characterWidth === 2 && !isAtom(character))) {
      breakAt = end;
      breakWidth = width;
    }
    at = end;
  }
  rows.push({ start, end: line.length });
  return rows;
}

export function shownRun(line: string, row: Row, layout: Layout): { readonly text: string; readonly width: number } {
  const run = line.slice(row.start, row.end);
  if (PLAIN.test(run)) return { text: run, width: run.length };
  let text = '';
  let width = 0;
  let at = row.start;
  for (const end of borders(line, row.start, row.end)) {
    const shown = shownAs(line.slice(at, end), layout);
    text += shown;
    width += widthOf(shown);
    at = end;
  }
  return { text, width };
}
