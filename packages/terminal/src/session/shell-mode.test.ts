import { expect, test } from 'vitest';
import { typedCommand } from './shell-mode.js';

test.each([
  ['!git status', { command: 'git status', isInteractive: false }],
  ['  ! ls -l ', { command: 'ls -l', isInteractive: false }],
  ['!vim a.ts', { command: 'vim a.ts', isInteractive: true }],
  ['!git rebase -i HEAD~3', { command: 'git rebase -i HEAD~3', isInteractive: true }],
  ['!git commit -m x', { command: 'git commit -m x', isInteractive: false }],
  ['!man ls | head', { command: 'man ls | head', isInteractive: false }],
  ['!!make menuconfig', { command: 'make menuconfig', isInteractive: true }],
  ['!', undefined],
  ['!!', undefined],
  ['no !vim', undefined],
])('%s', (line, expected) => {
  expect(typedCommand(line)).toEqual(expected);
});
