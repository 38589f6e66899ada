import type { StyledLine } from '../lines/styled-line.js';

const KEYS = [
  ['Enter', 'send'],
  ['Shift-Enter, Ctrl-J', 'a new line'],
  ['/', 'commands'],
  ['@', 'files'],
  ['!', 'a command for the shell'],
  ['Esc', 'stop the agent; twice: clear what is typed'],
  ['Up', 'what was sent before, or what waits'],
  ['Ctrl-R', 'search what was sent before'],
  ['Shift-Tab', 'how much may happen unasked'],
  ['Ctrl-O', 'the last thought or result in full'],
  ['Ctrl-X Ctrl-E', 'write in an editor'],
  ['Ctrl-V', 'a picture of the clipboard'],
  ['Ctrl-L', 'draw the screen afresh'],
  ['Ctrl-Z', 'into the background'],
  ['Ctrl-C twice, Ctrl-D', 'leave'],
] as const;

/** The keys and what they do, one a line. */
export function shortcutLines(): readonly StyledLine[] {
  const width = Math.max(...KEYS.map(([key]) => key.length)) + 2;
  return [
    ...KEYS.map(([key, meaning]): StyledLine => [{ text: key.padEnd(width), bold: true }, { text: meaning }]),
    [],
  ];
}
