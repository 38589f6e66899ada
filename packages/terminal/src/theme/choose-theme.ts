import type { Environment } from '@qwen/host/config/env.js';
import type { NamedTheme } from '@qwen/host/config/theme-files.js';
import type { ThemeColors } from '@qwen/protocol';
import { toIndexed, toIndexedParameters } from './indexed-colours.js';
import type { BuiltInTheme, Theme } from './theme.js';
import { ANSI, channelsOf, NO_COLOURS, THEMES_BY_NAME } from './themes.js';

/** COLORFGBG is like `15;0`: the background is last, as one of sixteen colours. */
export type TerminalVariables = Pick<Environment, 'TERM' | 'COLORTERM' | 'COLORFGBG' | 'FORCE_COLOR'>;

interface ThemeChoice {
  readonly theme: NamedTheme;
  /** False: no theme has colours (NO_COLOR, FORCE_COLOR=0, a dumb terminal). */
  readonly hasColours: boolean;
  readonly terminal: TerminalVariables;
}

/** The named theme, or the one that suits the terminal, reduced to its colours. Pure. */
export function chooseTheme({ theme, hasColours, terminal }: ThemeChoice): Theme {
  if (!hasColours) return NO_COLOURS;
  if (theme.file === undefined) return builtIn(theme.name, terminal);
  const { base = 'auto', colors } = theme.file;
  const { colours } = builtIn(base, terminal);
  const background = base === 'dark' || base === 'light' ? base : suitingTheme(terminal);
  const own = toColours({ ...colors, ...theme.file[background] }, depthOf(terminal));
  return { name: theme.name, colours: { ...colours, ...own } };
}

function builtIn(name: string, terminal: TerminalVariables): Theme {
  const chosen = THEMES_BY_NAME[isName(name) ? name : suitingTheme(terminal)];
  if (chosen === ANSI || chosen === NO_COLOURS) return chosen;
  switch (depthOf(terminal)) {
    case 'true':
      return chosen;
    case '256':
      return toIndexed(chosen);
    case '16':
      return ANSI;
  }
}

const LIGHT_BACKGROUNDS: ReadonlySet<string> = new Set(['7', '9', '10', '11', '12', '13', '14', '15']);

function isName(name: string): name is BuiltInTheme {
  return Object.hasOwn(THEMES_BY_NAME, name);
}

function suitingTheme({ COLORFGBG = '' }: TerminalVariables): 'dark' | 'light' {
  return LIGHT_BACKGROUNDS.has(COLORFGBG.split(';').at(-1) ?? '') ? 'light' : 'dark';
}

type ColourDepth = '16' | '256' | 'true';

const FORCED: ReadonlyMap<string, ColourDepth> = new Map([
  ['1', '16'],
  ['2', '256'],
  ['3', 'true'],
]);

function depthOf({ TERM = '', COLORTERM = '', FORCE_COLOR = '' }: TerminalVariables): ColourDepth {
  const forced = FORCED.get(FORCE_COLOR);
  if (forced !== undefined) return forced;
  if (/^(?:truecolor|24bit)$/i.test(COLORTERM) || /-direct|kitty|ghostty|alacritty|wezterm/.test(TERM)) return 'true';
  return TERM.includes('256') ? '256' : '16';
}

const ANSI_NAMES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

/** With 16 colors, `#rrggbb` becomes the color of the token in the theme `ansi`. */
function toColours(colors: ThemeColors, depth: ColourDepth): Theme['colours'] {
  const painted = Object.entries(colors).map(([token, color = 'default']) => {
    const name = color.toLowerCase();
    if (!name.startsWith('#')) return [token, namedColour(name)];
    if (depth === '16') return [token, ANSI.colours[token as keyof ThemeColors]];
    const full = name.length === 4 ? name.replaceAll(/[^#]/g, '$&$&') : name;
    const parameters = `38;2;${channelsOf(full).join(';')}`;
    return [token, depth === 'true' ? parameters : toIndexedParameters(parameters)];
  });
  return Object.fromEntries(painted) as Theme['colours'];
}

function namedColour(name: string): string | undefined {
  if (/^gr[ae]y$/.test(name)) return '90';
  const index = ANSI_NAMES.indexOf(name.replace('bright', ''));
  if (index === -1) return undefined;
  return String((name.startsWith('bright') ? 90 : 30) + index);
}

const LINKING_PROGRAMS = new Set(['iTerm.app', 'WezTerm', 'ghostty', 'vscode', 'Hyper', 'Tabby', 'rio']);
const LINKING_TERMINALS = /^(?:xterm-kitty|xterm-ghostty|alacritty|foot|wezterm|contour)/;
/** VTE 0.50: GNOME Terminal, Tilix and others. */
const LINKING_VTE = 5_000;

/** Whether the terminal is known to show links (OSC 8). tmux and screen pass them on only if configured. */
export function showsLinks(terminal: Readonly<Record<string, string | undefined>>): boolean {
  const { TMUX, STY, TERM = '', TERM_PROGRAM = '', VTE_VERSION = '', WT_SESSION, KONSOLE_VERSION } = terminal;
  if (TMUX !== undefined || STY !== undefined || TERM === 'dumb') return false;
  const isKnown = LINKING_PROGRAMS.has(TERM_PROGRAM) || LINKING_TERMINALS.test(TERM);
  return isKnown || WT_SESSION !== undefined || KONSOLE_VERSION !== undefined || Number(VTE_VERSION) >= LINKING_VTE;
}
