import type { IBufferCell, Terminal } from '@xterm/headless';

/** Adjacent cells with the same style. */
export interface ScreenRun {
  readonly column: number;
  readonly text: string;
  readonly look: Look;
}

export interface Look {
  readonly foreground?: string;
  readonly background?: string;
  readonly isBold: boolean;
  readonly isDim: boolean;
  readonly isItalic: boolean;
  readonly isUnderlined: boolean;
}

export interface ScreenFrame {
  readonly rows: readonly (readonly ScreenRun[])[];
  readonly cursor: { readonly column: number; readonly row: number } | undefined;
}

/** The sixteen basic colours, then the cube and the greys of the 256. */
const SIXTEEN = [
  ['#16191d', '#e5707a', '#8cc265', '#e0b050', '#5aa7ee', '#c07ade', '#4cb8c4', '#c8ccd4'],
  ['#6f7782', '#ff8f98', '#a9dd84', '#f6cd72', '#83c2ff', '#d9a0f2', '#74d3dd', '#ffffff'],
].flat();

/** A row of spaces has no runs. */
export function readScreen(terminal: Terminal, isCursorShown: boolean): ScreenFrame {
  const buffer = terminal.buffer.active;
  const rows = Array.from({ length: terminal.rows }, (_, row) => readRow(terminal, buffer.viewportY + row));
  return { rows, cursor: isCursorShown ? { column: buffer.cursorX, row: buffer.cursorY } : undefined };
}

function readRow(terminal: Terminal, y: number): readonly ScreenRun[] {
  const line = terminal.buffer.active.getLine(y);
  const runs: { column: number; text: string; look: Look }[] = [];
  for (let column = 0; column < terminal.cols; column += 1) {
    const cell = line?.getCell(column);
    // The second half of a wide character.
    if (cell === undefined || cell.getWidth() === 0) continue;
    const text = cell.getChars() || ' ';
    const look = lookOf(cell);
    const last = runs.at(-1);
    if (last !== undefined && isSame(last.look, look)) last.text += text;
    else runs.push({ column, text, look });
  }
  return runs.filter(({ text, look }) => text.trim() !== '' || look.background !== undefined);
}

function lookOf(cell: IBufferCell): Look {
  const foreground = colourOf(cell.getFgColor(), cell.isFgRGB() ? 'rgb' : cell.isFgPalette() ? 'palette' : 'none');
  const background = colourOf(cell.getBgColor(), cell.isBgRGB() ? 'rgb' : cell.isBgPalette() ? 'palette' : 'none');
  const isInverse = cell.isInverse() !== 0;
  const front = isInverse ? (background ?? SCREEN.background) : foreground;
  const back = isInverse ? (foreground ?? SCREEN.foreground) : background;
  return {
    ...(front !== undefined && { foreground: front }),
    ...(back !== undefined && { background: back }),
    isBold: cell.isBold() !== 0,
    isDim: cell.isDim() !== 0,
    isItalic: cell.isItalic() !== 0,
    isUnderlined: cell.isUnderline() !== 0,
  };
}

/** Default colours. */
export const SCREEN = { foreground: '#d5d9e0', background: '#1e2227' } as const;

function colourOf(value: number, kind: 'rgb' | 'palette' | 'none'): string | undefined {
  if (kind === 'none') return undefined;
  if (kind === 'rgb') return `#${value.toString(16).padStart(6, '0')}`;
  if (value < 16) return SIXTEEN[value];
  if (value >= 232) return grey(8 + (value - 232) * 10);
  const place = value - 16;
  const part = (step: number): number => (step === 0 ? 0 : 55 + step * 40);
  return toHex([part(Math.floor(place / 36)), part(Math.floor(place / 6) % 6), part(place % 6)]);
}

const grey = (level: number): string => toHex([level, level, level]);

function toHex(parts: readonly number[]): string {
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

function isSame(one: Look, other: Look): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
