import { SCREEN, type ScreenFrame, type ScreenRun } from './screen-rows.ts';

export interface TimedFrame {
  readonly frame: ScreenFrame;
  readonly durationMs: number;
}

export interface SvgOptions {
  readonly columns: number;
  readonly rows: number;
  readonly title: string;
}

const CELL = { width: 8.4, height: 17, size: 14 };
const PADDING = 12;
const BAR = 28;

/**
 * An animated picture: one animation moves a strip of frames past a window. Equal rows are stored once. With reduced
 * motion it shows the last frame.
 */
export function toSvg(frames: readonly TimedFrame[], { columns, rows, title }: SvgOptions): string {
  const width = round(columns * CELL.width + 2 * PADDING);
  const height = round(rows * CELL.height + 2 * PADDING + BAR);
  const known = new Map<string, string>();
  const scenes = frames.map(({ frame }, place) => {
    const uses = frame.rows.flatMap((runs, row) => {
      if (runs.length === 0) return [];
      const drawn = runs.map(drawRun).join('');
      const id = known.get(drawn) ?? `r${known.size.toString(36)}`;
      known.set(drawn, id);
      return [`<use href="#${id}" y="${round(row * CELL.height)}"/>`];
    });
    return `<g transform="translate(${place * width})">${uses.join('')}${drawCursor(frame)}</g>`;
  });
  const symbols = [...known].map(([drawn, id]) => `<g id="${id}">${drawn}</g>`);
  const last = -(frames.length - 1) * width;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escape(title)}">`,
    `<style>${style(frames, width)}</style>`,
    `<rect width="${width}" height="${height}" rx="8" fill="${SCREEN.background}"/>`,
    `<g fill="#4b525c"><circle cx="18" cy="16" r="5"/><circle cx="36" cy="16" r="5"/><circle cx="54" cy="16" r="5"/></g>`,
    `<defs>${symbols.join('')}</defs>`,
    `<svg x="${PADDING}" y="${PADDING + BAR / 2 + 4}" width="${width - 2 * PADDING}" height="${height - BAR - PADDING}" overflow="hidden">`,
    `<g class="film" transform="translate(${last})">${scenes.join('')}</g>`,
    '</svg></svg>',
    '',
  ].join('\n');
}

function style(frames: readonly TimedFrame[], width: number): string {
  const total = frames.reduce((sum, { durationMs }) => sum + durationMs, 0);
  let at = 0;
  const stops = frames.map(({ durationMs }, place) => {
    const stop = `${round((at / total) * 100, 3)}%{transform:translateX(${-place * width}px)}`;
    at += durationMs;
    return stop;
  });
  return [
    `text{font:${CELL.size}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:${SCREEN.foreground};white-space:pre}`,
    '.b{font-weight:700}.d{opacity:.6}.i{font-style:italic}.u{text-decoration:underline}',
    `@keyframes film{${stops.join('')}100%{transform:translateX(${-(frames.length - 1) * width}px)}}`,
    `@media (prefers-reduced-motion:no-preference){.film{animation:film ${round(total / 1_000)}s step-end infinite}}`,
  ].join('');
}

function drawRun({ column, text, look }: ScreenRun): string {
  const x = round(column * CELL.width);
  const length = round([...text].length * CELL.width);
  const behind =
    look.background === undefined
      ? ''
      : `<rect x="${x}" width="${length}" height="${CELL.height}" fill="${look.background}"/>`;
  const names = [look.isBold && 'b', look.isDim && 'd', look.isItalic && 'i', look.isUnderlined && 'u'].filter(Boolean);
  const shown = text.trimEnd();
  if (shown === '') return behind;
  const colour = look.foreground === undefined ? '' : ` style="fill:${look.foreground}"`;
  const looks = names.length === 0 ? '' : ` class="${names.join(' ')}"`;
  return `${behind}<text x="${x}" y="${CELL.size - 1}"${looks}${colour}>${escape(shown)}</text>`;
}

function drawCursor({ cursor }: ScreenFrame): string {
  if (cursor === undefined) return '';
  const place = `x="${round(cursor.column * CELL.width)}" y="${round(cursor.row * CELL.height)}"`;
  return `<rect ${place} width="${CELL.width}" height="${CELL.height}" fill="${SCREEN.foreground}" opacity=".5"/>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function round(value: number, digits = 1): number {
  return Number(value.toFixed(digits));
}
