/**
 * What a terminal does with lines wider than its new width. Most wrap them and keep the cursor in its line
 * (`carries`). xterm.js moves the cursor down a row per wrap, including wraps below it (`drifts`). Old terminals do
 * not wrap (`cuts`).
 */
export type Reflow = 'carries' | 'drifts' | 'cuts';

const XTERM_JS_PROGRAMS = new Set(['vscode', 'Hyper', 'Tabby']);

export function reflowOf(environment: Readonly<Record<string, string | undefined>>): Reflow {
  // tmux wraps lines itself, in any terminal.
  if (environment['TMUX'] !== undefined) return 'carries';
  if (XTERM_JS_PROGRAMS.has(environment['TERM_PROGRAM'] ?? '')) return 'drifts';
  const isOld = ['STY', 'XTERM_VERSION'].some((name) => environment[name] !== undefined);
  return isOld || environment['TERM'] === 'linux' ? 'cuts' : 'carries';
}

/** The last line ended with a line break. */
export interface DrawnFrame {
  readonly widths: readonly number[];
  /** `up`: lines above the line after the last; `column`: from the left. */
  readonly cursor: { readonly up: number; readonly column: number };
}

interface SizeChange {
  readonly reflow: Reflow;
  readonly columns: number;
  /** At least 0. */
  readonly lostRows: number;
  /** Lower bound of the rows from the top of the frame to the end of the screen. Default: those of the frame. */
  readonly room?: number;
}

export function rowsToTop({ widths, cursor }: DrawnFrame, change: SizeChange): number {
  const { reflow, columns, lostRows, room = 0 } = change;
  const place = Math.max(0, widths.length - cursor.up);
  if (reflow === 'cuts') return place;
  const breaks = widths.map((width) => Math.max(0, Math.ceil(width / columns) - 1));
  if (reflow === 'carries') return sumOf(breaks.slice(0, place)) + place + Math.floor(cursor.column / columns);
  // The terminal removes rows from below, empty ones first, before it wraps lines.
  const kept = Math.max(place + 1, Math.max(room, widths.length + 1) - lostRows);
  // Lines wrap from below; the cursor's line then stays whole.
  return breaks.slice(0, kept).reduceRight((row, count, line) => (line === row ? row : row + count), place);
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
