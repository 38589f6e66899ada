import type { StyledLine } from '../lines/styled-line.js';

const KEYS = [
  ['Enter', 'send'],
  ['Shift-Enter, Ctrl-J', 'new line'],
  ['/', 'commands'],
  ['@', 'files'],
  ['!', 'shell command'],
  ['Esc', 'stop the agent; twice: clear the input'],
  ['Up', 'previous or queued prompts'],
  ['Ctrl-R', 'search previous prompts'],
  ['Shift-Tab', 'change the approval mode'],
  ['Ctrl-O', 'show the last thought or result in full'],
  ['Ctrl-X Ctrl-E', 'edit in an editor'],
  ['Ctrl-V', 'paste an image'],
  ['Ctrl-L', 'redraw the screen'],
  ['Ctrl-Z', 'suspend'],
  ['Ctrl-C twice, Ctrl-D', 'leave'],
] as const;

export function shortcutLines(): readonly StyledLine[] {
  const width = Math.max(...KEYS.map(([key]) => key.length)) + 2;
  return [
    ...KEYS.map(([key, meaning]): StyledLine => [{ text: key.padEnd(width), bold: true }, { text: meaning }]),
    [],
  ];
}
