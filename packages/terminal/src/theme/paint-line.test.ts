import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { toHref } from '../lines/styled-line.js';
import { showsLinks } from './choose-theme.js';
import { paintLine } from './paint-line.js';
import { ANSI, DARK, NO_COLOURS } from './themes.js';

test('emits minimal style sequences and resets at the end of the line', () => {
  expect(paintLine([{ text: 'plain' }], ANSI)).toBe('plain');
  expect(
    paintLine(
      [
        { text: 'a', token: 'AccentRed' },
        { text: 'b', token: 'AccentRed' },
        { text: 'c', token: 'AccentBlue', bold: true },
        { text: 'd' },
        { text: '' },
        { text: 'e', underline: true },
      ],
      ANSI,
    ),
  ).toBe('\u001b[31mab\u001b[0;1;34mc\u001b[0md\u001b[4me\u001b[0m');
  expect(paintLine([{ text: 'x', token: 'AccentCyan' }], DARK)).toBe('\u001b[38;2;86;200;216mx\u001b[0m');
});

test('keeps bold and italic without colors', () => {
  expect(
    paintLine(
      [
        { text: 'x', token: 'AccentRed' },
        { text: 'y', dim: true },
      ],
      NO_COLOURS,
    ),
  ).toBe('x\u001b[2my\u001b[0m');
});

test('escapes control characters that reach the painter', () => {
  verifies('S25');
  expect(paintLine([{ text: 'a\u001b]52;c;x\u0007\r\n\u202eb' }], ANSI)).toBe(
    'a\\u001b]52;c;x\\u0007\\u000d\\u000a\\u202eb',
  );
});

test('links are written only where the terminal shows them, with a harmless address', () => {
  const href = toHref('https://example.com/a b\u001b]8;;x');
  expect(href).toBe('https://example.com/a%20b%1B]8;;x');
  const line = [{ text: 'here', href: 'https://example.com/' }];
  expect(paintLine(line, { name: 'none', colours: {} }, { hasLinks: true })).toBe(
    '\u001b]8;;https://example.com/\u001b\\here\u001b]8;;\u001b\\',
  );
  expect(paintLine(line, { name: 'none', colours: {} })).toBe('here');
  for (const address of ['javascript:alert(1)', 'vscode://x', '', 'a.ts']) expect(toHref(address)).toBeUndefined();
});

test.each([
  [{ TERM_PROGRAM: 'WezTerm' }, true],
  [{ TERM: 'xterm-kitty' }, true],
  [{ VTE_VERSION: '7200' }, true],
  [{ VTE_VERSION: '4900' }, false],
  [{ TERM: 'xterm-256color' }, false],
  [{ TERM_PROGRAM: 'WezTerm', TMUX: '/tmp/x' }, false],
])('%j shows links: %s', (terminal, isShown) => {
  expect(showsLinks(terminal)).toBe(isShown);
});
