import { expect, test } from 'vitest';
import { chooseTheme, type TerminalVariables, type ThemeChoice } from './choose-theme.js';
import { ANSI, DARK, LIGHT, NO_COLOURS } from './themes.js';

const choose = (terminal: TerminalVariables, theme: ThemeChoice['theme'] = 'auto') =>
  chooseTheme({ theme, hasColours: true, terminal });

const TRUE = { COLORTERM: 'truecolor' };

test('ignores the theme without color support', () => {
  expect(chooseTheme({ theme: 'dark', hasColours: false, terminal: TRUE })).toBe(NO_COLOURS);
  expect(choose(TRUE, 'none')).toBe(NO_COLOURS);
});

test('auto follows the terminal background and defaults to dark', () => {
  expect(choose(TRUE)).toBe(DARK);
  expect(choose({ ...TRUE, COLORFGBG: '0;15' })).toBe(LIGHT);
  expect(choose({ ...TRUE, COLORFGBG: '0;default;7' })).toBe(LIGHT);
  expect(choose({ ...TRUE, COLORFGBG: '15;0' })).toBe(DARK);
  expect(choose({ ...TRUE, COLORFGBG: '0;15' }, 'dark')).toBe(DARK);
});

test('uses the color depth of the terminal', () => {
  expect(choose({ TERM: 'xterm-kitty' })).toBe(DARK);
  expect(choose({ TERM: 'xterm' })).toBe(ANSI);
  expect(choose({}, 'light')).toBe(ANSI);
  expect(choose(TRUE, 'ansi')).toBe(ANSI);
  const indexed = choose({ TERM: 'xterm-256color' });
  expect(indexed.name).toBe('dark');
  expect(indexed.colours).toMatchObject({ AccentRed: '38;5;209', Gray: '38;5;246' });
});

test('FORCE_COLOR sets the color depth', () => {
  expect(choose({ ...TRUE, FORCE_COLOR: '1' })).toBe(ANSI);
  expect(choose({ TERM: 'xterm', FORCE_COLOR: '3' })).toBe(DARK);
  expect(choose({ TERM: 'xterm', FORCE_COLOR: '2' }).colours.AccentGreen).toMatch(/^38;5;\d+$/);
});
