import { toHarmless } from '../lines/shown-text.js';
import type { StyledLine, TextStyle } from '../lines/styled-line.js';
import type { Theme } from './theme.js';

const RESET = '\u001b[0m';

const WEIGHTS = [
  ['bold', '1'],
  ['dim', '2'],
  ['italic', '3'],
  ['underline', '4'],
  ['inverse', '7'],
  ['strikethrough', '9'],
] as const satisfies readonly (readonly [keyof TextStyle, string])[];

export interface PaintOptions {
  /** Whether links are written (OSC 8). Default false. */
  readonly hasLinks?: boolean;
}

/** The only place that writes escape sequences; escapes any others in the text. Styles end with the line. */
export function paintLine(line: StyledLine, theme: Theme, { hasLinks = false }: PaintOptions = {}): string {
  let painted = '';
  let current = '';
  for (const { text, href, ...style } of line) {
    if (text === '') continue;
    const wanted = parametersOf(style, theme);
    if (wanted !== current) {
      painted += wanted === '' ? RESET : `\u001b[${current === '' ? '' : '0;'}${wanted}m`;
      current = wanted;
    }
    const words = toHarmless(text);
    painted += hasLinks && href !== undefined ? `${linkTo(href)}${words}${linkTo('')}` : words;
  }
  return current === '' ? painted : painted + RESET;
}

/** Begins a link, or ends it without an address. */
function linkTo(href: string): string {
  return `\u001b]8;;${href}\u001b\\`;
}

function parametersOf(style: TextStyle, { colours }: Theme): string {
  const colour = colours[style.token ?? 'Foreground'];
  const weights = WEIGHTS.filter(([name]) => style[name] === true).map(([, parameter]) => parameter);
  return [...weights, ...(colour === undefined ? [] : [colour])].join(';');
}
