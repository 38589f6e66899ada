import { foldEnd } from '../lines/fold-lines.js';
import { toShown } from '../lines/shown-text.js';
import type { Segment, StyledLine, TextStyle } from '../lines/styled-line.js';
import { chopLine, wrapLine } from '../lines/wrap-line.js';
import { changedWords, type TextRun } from './changed-words.js';
import { type DiffRow, readDiff } from './read-diff.js';

export interface DiffOptions {
  readonly columns: number;
  readonly maxLines?: number;
  readonly isScreenReader?: boolean;
  readonly fullKey?: string;
}

type ChangedRow = Extract<DiffRow, { kind: 'added' | 'removed' }>;

const LOOKS: Readonly<Record<'same' | 'added' | 'removed', { sign: string; word: string; style: TextStyle }>> = {
  same: { sign: ' ', word: '', style: {} },
  added: { sign: '+', word: 'added', style: { token: 'DiffAdded' } },
  removed: { sign: '-', word: 'removed', style: { token: 'DiffRemoved' } },
};

/** Too narrow for line numbers. */
const FEWEST_COLUMNS = 20;

export function diffLines(diff: string, options: DiffOptions): StyledLine[] {
  const { columns, maxLines = Number.POSITIVE_INFINITY, isScreenReader = false } = options;
  const rows = readDiff(diff);
  const drawn = rows.slice(0, maxLines);
  const last = drawn.reduce((most, row) => ('number' in row ? Math.max(most, row.number) : most), 0);
  const digits = columns < FEWEST_COLUMNS ? 0 : `${last}`.length;
  const words = wordsOf(drawn);
  const lines = drawn.flatMap((row) => drawRow(row, { columns, digits, isScreenReader, runs: words.get(row) }));
  return foldEnd(lines, { ...options, maxLines, alsoHidden: rows.length - drawn.length });
}

interface RowOptions {
  readonly columns: number;
  readonly digits: number;
  readonly isScreenReader: boolean;
  readonly runs: readonly TextRun[] | undefined;
}

function drawRow(row: DiffRow, { columns, digits, isScreenReader, runs }: RowOptions): StyledLine[] {
  if (row.kind === 'note') return wrapLine([{ text: toShown(row.text), token: 'Gray' }], columns);
  if (row.kind === 'gap') {
    return [[{ text: isScreenReader ? 'Lines skipped.' : `${' '.repeat(Math.max(0, digits - 1))}⋮`, token: 'Gray' }]];
  }
  const { sign, word, style } = LOOKS[row.kind];
  const text = (runs ?? [{ text: row.text, isChanged: false }]).map(
    (run): Segment => ({
      text: toShown(run.text),
      ...style,
      ...(run.isChanged && { bold: true, underline: true }),
    }),
  );
  if (isScreenReader) return wrapLine([{ text: `${row.number} ${word}`.trim() }, { text: ': ' }, ...text], columns);
  const number = digits === 0 ? [] : [{ text: `${`${row.number}`.padStart(digits)} `, token: 'Gray' } as const];
  const mark: Segment = { text: `${sign} `, ...style };
  const indent: StyledLine = [{ text: ' '.repeat(digits === 0 ? 2 : digits + 3) }];
  const room = columns - (digits === 0 ? 2 : digits + 3);
  return chopLine(text, room).map((line, index) => [...(index === 0 ? [...number, mark] : indent), ...line]);
}

/** Compares each run of removed lines with the added lines after it, pairwise. */
function wordsOf(rows: readonly DiffRow[]): ReadonlyMap<DiffRow, readonly TextRun[]> {
  const words = new Map<DiffRow, readonly TextRun[]>();
  let removed: ChangedRow[] = [];
  let place = 0;
  for (const row of rows) {
    if (row.kind === 'removed') {
      if (place > 0) removed = [];
      place = 0;
      removed.push(row);
    } else if (row.kind === 'added') {
      const other = removed[place];
      place += 1;
      const changed = other === undefined ? undefined : changedWords(other.text, row.text);
      if (other !== undefined && changed !== undefined) {
        words.set(other, changed.removed);
        words.set(row, changed.added);
      }
    } else if (row.kind !== 'note') {
      removed = [];
      place = 0;
    }
  }
  return words;
}
