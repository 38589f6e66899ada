/**
 * What a terminal does when it becomes narrower than its lines are. Most break them and keep the cursor where it was in
 * its line (`carries`). xterm.js, which editors and web pages show, moves it down a row for each break, those below it
 * included (`drifts`). Old ones break nothing (`cuts`).
 */
export type Reflow = 'carries' | 'drifts' | 'cuts';

const XTERM_JS_PROGRAMS = new Set(['vscode', 'Hyper', 'Tabby']);

/** Of the terminal that the variables of the process tell about. */
export function reflowOf(environment: Readonly<Record<string, string | undefined>>): Reflow {
  // It breaks lines on its own, whatever shows it.
  if (environment['TMUX'] !== undefined) return 'carries';
  if (XTERM_JS_PROGRAMS.has(environment['TERM_PROGRAM'] ?? '')) return 'drifts';
  const isOld = ['STY', 'XTERM_VERSION'].some((name) => environment[name] !== undefined);
  return isOld || environment['TERM'] === 'linux' ? 'cuts' : 'carries';
}

/** Lines as they were drawn, of which the last one ended with a line break. */
export interface DrawnFrame {
  /** Of each line, from above. */
  readonly widths: readonly number[];
  /** Where the cursor is: so many lines above the place below the last one, and columns from the left. */
  readonly cursor: { readonly up: number; readonly column: number };
}

interface SizeChange {
  readonly reflow: Reflow;
  /** The columns there are now. */
  readonly columns: number;
  /** So many rows there are fewer than before; not below 0. */
  readonly lostRows: number;
  /** So many rows there were at least from the top of the frame to the end of the screen. Default: those of the frame. */
  readonly room?: number;
}

/** Rows from the top of the frame to the cursor, now that the terminal has changed its size. */
export function rowsToTop({ widths, cursor }: DrawnFrame, change: SizeChange): number {
  const { reflow, columns, lostRows, room = 0 } = change;
  const place = Math.max(0, widths.length - cursor.up);
  if (reflow === 'cuts') return place;
  const breaks = widths.map((width) => Math.max(0, Math.ceil(width / columns) - 1));
  if (reflow === 'carries') return sumOf(breaks.slice(0, place)) + place + Math.floor(cursor.column / columns);
  // Rows are taken away from below, empty ones first, before lines are broken.
  const kept = Math.max(place + 1, Math.max(room, widths.length + 1) - lostRows);
  // Lines are broken from below; the one that the cursor is on by then stays whole.
  return breaks.slice(0, kept).reduceRight((row, count, line) => (line === row ? row : row + count), place);
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
