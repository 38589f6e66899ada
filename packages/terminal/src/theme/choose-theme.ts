import type { Environment } from '@qwen/host/config/env.js';
import type { UiChoice } from '@qwen/host/config/ui-settings.js';
import { toIndexed } from './indexed-colours.js';
import type { Theme, ThemeName } from './theme.js';
import { ANSI, NO_COLOURS, THEMES_BY_NAME } from './themes.js';

/** COLORFGBG is like `15;0`: the background is last, as one of sixteen colours. */
export type TerminalVariables = Pick<Environment, 'TERM' | 'COLORTERM' | 'COLORFGBG' | 'FORCE_COLOR'>;

export interface ThemeChoice {
  readonly theme: UiChoice['theme'];
  /** False: no theme has colours (NO_COLOR, FORCE_COLOR=0, a dumb terminal). */
  readonly hasColours: boolean;
  readonly terminal: TerminalVariables;
}

/** The named theme, or the one that suits the terminal, reduced to its colours. Pure. */
export function chooseTheme({ theme, hasColours, terminal }: ThemeChoice): Theme {
  if (!hasColours || theme === 'none') return NO_COLOURS;
  const chosen = THEMES_BY_NAME[theme === 'auto' ? suitingTheme(terminal) : theme];
  if (chosen === ANSI) return ANSI;
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

function suitingTheme({ COLORFGBG = '' }: TerminalVariables): ThemeName {
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
