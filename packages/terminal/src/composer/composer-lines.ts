import type { ThemeToken } from '@qwen/protocol/openai';
import { toShownInOne } from '../lines/shown-text.js';
import type { Segment, StyledLine } from '../lines/styled-line.js';
import { widthOf } from '../lines/text-width.js';
import { cutLine } from '../lines/wrap-line.js';
import { completionRows, type RowSpace } from './completion-rows.js';
import type { ComposerMode, ComposerState } from './composer-state.js';
import { searchRows } from './search-rows.js';
import { isEmpty, lineAt } from './text-buffer.js';
import { type Top, type VisibleRow, visibleRows } from './visible-rows.js';
import { type Layout, shownRun } from './wrap-text.js';

export interface ComposerSpace {
  readonly columns: number;
  readonly rows: number;
  /** For screen readers: no borders. */
  readonly isSpoken: boolean;
  /** First visible row of the previous frame. */
  readonly top: Top;
}

export interface ComposerPicture {
  readonly lines: readonly StyledLine[];
  readonly cursor: { readonly row: number; readonly column: number };
  readonly top: Top;
}

const MODES: Readonly<Record<ComposerMode, { readonly label: string; readonly token: ThemeToken }>> = {
  prompt: { label: '', token: 'AccentBlue' },
  shell: { label: 'shell command', token: 'AccentYellow' },
  memory: { label: 'memory note', token: 'AccentPurple' },
};

const MARK = '> ';
const MARK_WIDTH = MARK.length;
const PLACEHOLDER = 'Type a prompt, / for commands, @ for files, ! for the shell';
const MAX_POPUP_ROWS = 9;
/** Largest share of the rows for text while completions are shown. */
const TEXT_SHARE = 0.5;

/** One column is reserved for a cursor after the last character. */
export function textColumns(columns: number): number {
  return Math.max(columns - MARK_WIDTH - 1, 1);
}

export function composerLines(state: ComposerState, space: ComposerSpace): ComposerPicture {
  const { columns, rows, isSpoken, top } = space;
  const { label, token } = MODES[state.mode];
  const hasRules = !isSpoken && rows >= 4;
  const room = rows - (hasRules ? 2 : 0);
  const textRows = Math.max(textShare(state, room), 1);
  const layout = { columns: textColumns(columns), atoms: state.atoms };
  const found = state.search && searchRows(state.search, { columns, rows: textRows });
  const visible = visibleRows(state.buffer, { layout, height: textRows, top });
  const text =
    found?.lines ??
    visible.rows.map((row, index): StyledLine => {
      const isFirst = index === 0 && !visible.hasMoreAbove;
      const front: Segment = isFirst ? { text: MARK, token } : { text: ' '.repeat(MARK_WIDTH) };
      const words = isEmpty(state.buffer)
        ? [{ text: placeholder(columns), token: 'Gray' } as const]
        : rowSegments(state, row, layout);
      return [front, ...words];
    });
  const below = belowText(state, { columns, rows: room - text.length, isSpoken });
  const rules = { columns, token };
  const vim = state.vim?.label ?? '';
  const above = [
    label,
    vim === 'INSERT' ? '' : vim,
    visible.hasMoreAbove && found === undefined ? 'more above' : '',
  ].filter((word) => word !== '');
  const under = visible.hasMoreBelow && found === undefined ? 'more below' : '';
  const lines = hasRules
    ? [rule(above.join(' · '), rules), ...text, rule(under, rules), ...below]
    : [...text, ...below];
  const cursor = found?.cursor ?? { row: visible.cursor.row, column: visible.cursor.column + MARK_WIDTH };
  return {
    lines,
    cursor: { row: cursor.row + (hasRules ? 1 : 0), column: Math.min(cursor.column, columns - 1) },
    top: visible.top,
  };
}

/** Inverts what is selected. */
function rowSegments({ buffer, vim }: ComposerState, { line, start, end }: VisibleRow, layout: Layout): Segment[] {
  const shown = (from: number, to: number) => shownRun(lineAt(buffer, line), { start: from, end: to }, layout).text;
  if (vim?.selection === undefined) return [{ text: shown(start, end) }];
  const { from, to } = vim.selection;
  const first = line < from.line ? end : line > from.line ? start : Math.min(Math.max(from.offset, start), end);
  const last = line > to.line ? first : line < to.line ? end : Math.min(Math.max(to.offset, first), end);
  return [{ text: shown(start, first) }, { text: shown(first, last), inverse: true }, { text: shown(last, end) }];
}

function textShare({ popup, notice }: ComposerState, room: number): number {
  if (popup !== undefined) return Math.ceil(room * TEXT_SHARE);
  return notice === undefined ? room : room - 1;
}

function belowText({ popup, notice }: ComposerState, { columns, rows, isSpoken }: RowSpace): StyledLine[] {
  if (rows < 1) return [];
  if (popup !== undefined) return completionRows(popup, { columns, rows: Math.min(rows, MAX_POPUP_ROWS), isSpoken });
  if (notice !== undefined) return [cutLine([{ text: `  ${toShownInOne(notice)}`, token: 'AccentYellow' }], columns)];
  return [];
}

function rule(label: string, { columns, token }: { readonly columns: number; readonly token: ThemeToken }): StyledLine {
  const words = label === '' ? '' : ` ${label} ─`;
  const width = columns - widthOf(words);
  return width < 1 ? [{ text: '─'.repeat(columns), token }] : [{ text: '─'.repeat(width) + words, token }];
}

function placeholder(columns: number): string {
  return PLACEHOLDER.slice(0, textColumns(columns));
}
