import type { ThemeToken } from '@qwen/protocol/openai';
import type { TextStyle } from '../lines/styled-line.js';
import { CUBE_START, CUBE_STEPS } from '../theme/indexed-colours.js';

/** SGR 30 to 37 and 90 to 97; black and white map to the default foreground. */
const COLOURS: readonly (ThemeToken | undefined)[] = [
  undefined,
  'AccentRed',
  'AccentGreen',
  'AccentYellow',
  'AccentBlue',
  'AccentPurple',
  'AccentCyan',
  undefined,
];

const CUBE_END = 232;
const WHITE = 7;
/** Colours closer to grey than this are grey. */
const LEAST_COLOUR = 40;
/** One per 60 degrees of hue. */
const HUES: readonly ThemeToken[] = [
  'AccentRed',
  'AccentYellow',
  'AccentGreen',
  'AccentCyan',
  'AccentBlue',
  'AccentPurple',
];

/**
 * Maps an SGR sequence to theme colours, so that output is readable on every background. Ignores backgrounds and
 * blinking.
 */
export function applySgr(style: TextStyle, sequence: string): TextStyle {
  const codes = sequence.slice(2, -1).split(/[;:]/).map(Number);
  let next = style;
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    if (code === 38 || code === 48) {
      const [token, taken] = extendedColour(codes.slice(index + 1));
      if (code === 38) next = withToken(next, token);
      index += taken;
    } else next = applyCode(next, code);
  }
  return next;
}

function applyCode(style: TextStyle, code: number): TextStyle {
  if (code >= 30 && code <= 37) return withToken(style, COLOURS[code - 30]);
  if (code >= 90 && code <= 97) return withToken(style, code === 90 ? 'Gray' : COLOURS[code - 90]);
  switch (code) {
    case 0:
      return {};
    case 1:
      return { ...style, bold: true };
    case 2:
      return { ...style, dim: true };
    case 3:
      return { ...style, italic: true };
    case 4:
      return { ...style, underline: true };
    case 7:
      return { ...style, inverse: true };
    case 9:
      return { ...style, strikethrough: true };
    case 22:
      return without(without(style, 'bold'), 'dim');
    case 23:
      return without(style, 'italic');
    case 24:
      return without(style, 'underline');
    case 27:
      return without(style, 'inverse');
    case 29:
      return without(style, 'strikethrough');
    case 39:
      return without(style, 'token');
    default:
      return style;
  }
}

/** Parses the parameters after 38 and 48: the colour and how many parameters it takes. */
function extendedColour([kind, ...values]: readonly number[]): readonly [token: ThemeToken | undefined, taken: number] {
  if (kind === 2) return [nearestToken(values[0] ?? 0, values[1] ?? 0, values[2] ?? 0), 4];
  if (kind !== 5) return [undefined, 0];
  const index = values[0] ?? WHITE;
  if (index < CUBE_START) return [index === 8 ? 'Gray' : COLOURS[index % 8], 2];
  if (index >= CUBE_END) return [undefined, 2];
  const place = index - CUBE_START;
  const [red, green, blue] = [Math.floor(place / 36), Math.floor(place / 6) % 6, place % 6].map(
    (level) => CUBE_STEPS[level],
  );
  return [nearestToken(red ?? 0, green ?? 0, blue ?? 0), 2];
}

function nearestToken(red: number, green: number, blue: number): ThemeToken | undefined {
  const most = Math.max(red, green, blue);
  const range = most - Math.min(red, green, blue);
  if (!(range >= LEAST_COLOUR)) return undefined;
  const sector =
    most === red ? (green - blue) / range : most === green ? 2 + (blue - red) / range : 4 + (red - green) / range;
  return HUES[(Math.round(sector) + HUES.length) % HUES.length];
}

function withToken(style: TextStyle, token: ThemeToken | undefined): TextStyle {
  return token === undefined ? without(style, 'token') : { ...style, token };
}

function without(style: TextStyle, name: keyof TextStyle): TextStyle {
  const { [name]: _, ...rest } = style;
  return rest;
}
