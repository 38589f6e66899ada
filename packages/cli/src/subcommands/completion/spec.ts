import type { CommandSpec } from '../words/command-spec.js';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** `qwen completion` for help and completion. */
export const COMPLETION = {
  meaning: 'Prints what makes a shell complete the words of qwen.',
  own: { words: 'bash|zsh|fish', completes: ['shell'], meaning: 'Print it for one shell.', flags: {} },
  verbs: {},
  notes: [
    'To have it in every shell from now on:',
    '  bash   qwen completion bash >> ~/.bashrc',
    '  zsh    qwen completion zsh > "${fpath[1]}/_qwen"',
    '  fish   qwen completion fish > ~/.config/fish/completions/qwen.fish',
  ].join('\n'),
} as const satisfies CommandSpec;
