import type { StyledLine } from '../lines/styled-line.js';

const KEYS = [
  ['Enter', 'send, also to a running turn'],
  ['Alt-Enter', 'send after the running turn'],
  ['Shift-Enter, Ctrl-J', 'new line'],
  ['/', 'commands'],
  ['@', 'files'],
  ['!', 'shell command'],
  ['Esc', 'stop the agent; twice: clear the input, or rewind if it is empty'],
  ['Up', 'edit queued prompts, or recall earlier ones'],
  ['Ctrl-R', 'search previous prompts'],
  ['Ctrl-B', 'move the running command to the background'],
  ['Shift-Tab', 'change the approval mode'],
  ['Ctrl-O', 'print the last thinking or result in full'],
  ['Ctrl-G', 'edit in your editor'],
  ['Ctrl-V', 'paste an image'],
  ['Ctrl-L', 'redraw the screen'],
  ['Ctrl-Z', 'suspend; resume with fg'],
  ['Ctrl-C twice, Ctrl-D', 'quit'],
] as const;

export function shortcutLines(): readonly StyledLine[] {
  const width = Math.max(...KEYS.map(([key]) => key.length)) + 2;
  return [
    ...KEYS.map(([key, meaning]): StyledLine => [{ text: key.padEnd(width), bold: true }, { text: meaning }]),
    [],
  ];
}
