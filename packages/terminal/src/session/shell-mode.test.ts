import type { AgentHost } from '@qwen/host/agent-host.js';
import type { Configuration } from '@qwen/host/config/load-config.js';
import { expect, test } from 'vitest';
import { firstState } from '../state/terminal-state.js';
import { TerminalStore } from '../state/terminal-store.js';
import { QuestionQueue } from './question-queue.js';
import { ShellMode, typedCommand } from './shell-mode.js';

const FIRST = firstState({ model: 'm', permissionMode: 'default' });

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

test('an interactive command runs after the deny rules, and the model learns of it, even before the first prompt', async () => {
  const configuration = { cwd: process.cwd(), settings: { allowedVariables: [] } } as unknown as Configuration;
  const shell = new ShellMode(configuration, new QuestionQueue(new TerminalStore(FIRST)));
  let hasTerminal = 0;
  shell.attach(async (use) => {
    hasTerminal += 1;
    await use();
  });
  const notes: string[] = [];
  const run = async (behavior: 'ask' | 'deny') => {
    const host = {
      explainCall: async () => ({ behavior, reason: 'Bash(true) is denied.' }),
      session: async () => ({ inject: async (text: string) => void notes.push(text) }),
    } as unknown as AgentHost;
    const ended = Promise.withResolvers<string | undefined>();
    const turn = { uuid: 'u', host, onRefused: ended.reject, onEnd: ended.resolve };
    shell.run({ command: 'true', isInteractive: true }, turn);
    return ended.promise;
  };
  await expect(run('deny')).rejects.toThrow('Command denied: Bash(true) is denied.');
  expect(hasTerminal).toBe(0);
  expect(await run('ask')).toBeUndefined();
  expect(hasTerminal).toBe(1);
  expect(notes).toEqual([
    'The user ran true in the terminal. You cannot see what it printed. It ended with exit code 0.',
  ]);
});
