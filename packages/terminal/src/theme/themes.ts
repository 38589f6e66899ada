import type { ThemeToken } from '@qwen/protocol/openai';
import type { BuiltInTheme, Theme } from './theme.js';

/** `#rrggbb`. */
type Palette = Readonly<Record<Exclude<ThemeToken, 'Foreground'>, string>>;

/** Readable on its background (WCAG AA, 4.5:1). The foreground is the terminal's own. */
export const PALETTES: Readonly<Record<'dark' | 'light', Palette>> = {
  dark: {
    Gray: '#8b93a1',
    AccentBlue: '#7aa8ff',
    AccentPurple: '#c39bf5',
    AccentCyan: '#56c8d8',
    AccentGreen: '#7fd088',
    AccentYellow: '#e5c07b',
    AccentRed: '#ff7b72',
    DiffAdded: '#6fd07c',
    DiffRemoved: '#ff8585',
  },
  light: {
    Gray: '#5c6370',
    AccentBlue: '#1d5fd1',
    AccentPurple: '#7a3fc4',
    AccentCyan: '#00707f',
    AccentGreen: '#1f7a33',
    AccentYellow: '#8a5a00',
    AccentRed: '#c62828',
    DiffAdded: '#1a7f37',
    DiffRemoved: '#b3261e',
  },
};

export const DARK: Theme = { name: 'dark', colours: toParameters(PALETTES.dark) };
export const LIGHT: Theme = { name: 'light', colours: toParameters(PALETTES.light) };
export const ANSI: Theme = {
  name: 'ansi',
  colours: {
    Gray: '90',
    AccentBlue: '34',
    AccentPurple: '35',
    AccentCyan: '36',
    AccentGreen: '32',
    AccentYellow: '33',
    AccentRed: '31',
    DiffAdded: '32',
    DiffRemoved: '31',
  },
};
export const NO_COLOURS: Theme = { name: 'none', colours: {} };

export const THEMES_BY_NAME: Readonly<Record<BuiltInTheme, Theme>> = {
  dark: DARK,
  light: LIGHT,
  ansi: ANSI,
  none: NO_COLOURS,
};

function toParameters(palette: Palette): Theme['colours'] {
  return Object.fromEntries(
    Object.entries(palette).map(([token, colour]) => [token, `38;2;${channelsOf(colour).join(';')}`]),
  );
}

/** 0 to 255. */
export function channelsOf(colour: string): readonly [red: number, green: number, blue: number] {
  const value = Number.parseInt(colour.slice(1), 16);
  return [(value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff];
}
