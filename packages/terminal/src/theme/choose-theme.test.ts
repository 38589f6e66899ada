import type { ThemeFile } from '@qwen/protocol';
import { expect, test } from 'vitest';
import { chooseTheme, type TerminalVariables } from './choose-theme.js';
import { ANSI, DARK, LIGHT, NO_COLOURS } from './themes.js';

const choose = (terminal: TerminalVariables, name = 'auto') =>
  chooseTheme({ theme: { name }, hasColours: true, terminal });

const TRUE = { COLORTERM: 'truecolor' };

test('ignores the theme without color support', () => {
  expect(chooseTheme({ theme: { name: 'dark' }, hasColours: false, terminal: TRUE })).toBe(NO_COLOURS);
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

const OWN: ThemeFile = {
  base: 'auto',
  colors: { Foreground: '#ccc', AccentRed: '#ff8800', AccentBlue: 'brightCyan', Gray: 'grey', DiffAdded: 'default' },
  light: { Foreground: 'black' },
};
const chooseOwn = (terminal: TerminalVariables, file = OWN, hasColours = true) =>
  chooseTheme({ theme: { name: 'mine', file }, hasColours, terminal }).colours;

test('a theme file changes the colors that it names', () => {
  const { AccentGreen } = DARK.colours;
  const dark = {
    Foreground: '38;2;204;204;204',
    AccentRed: '38;2;255;136;0',
    AccentBlue: '96',
    Gray: '90',
    AccentGreen,
  };
  expect(chooseOwn(TRUE)).toMatchObject(dark);
  expect(chooseOwn(TRUE).DiffAdded).toBeUndefined();
  expect(chooseOwn({ ...TRUE, COLORFGBG: '0;15' })).toMatchObject({
    Foreground: '30',
    AccentRed: '38;2;255;136;0',
    AccentGreen: LIGHT.colours.AccentGreen,
  });
  expect(chooseOwn({ ...TRUE, COLORFGBG: '0;15' }, { ...OWN, base: 'dark' })).toMatchObject(dark);
  expect(chooseOwn(TRUE, { base: 'none', colors: { AccentRed: 'red' } })).toEqual({ AccentRed: '31' });
});

test('a theme file uses the color depth of the terminal, and no colors without color support', () => {
  expect(chooseOwn({ TERM: 'xterm-256color' })).toMatchObject({ AccentRed: '38;5;208', AccentBlue: '96' });
  const sixteen = chooseOwn({ TERM: 'xterm' });
  expect(sixteen).toMatchObject({ AccentRed: '31', AccentBlue: '96' });
  expect(sixteen.Foreground).toBeUndefined();
  expect(chooseOwn(TRUE, OWN, false)).toEqual({});
});
