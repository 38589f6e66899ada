import type { CommandSpec } from '../words/command-spec.js';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

export const COMPLETION = {
  meaning: 'Print a shell completion script.',
  own: { words: 'bash|zsh|fish', completes: ['shell'], meaning: 'Print the script for one shell.', flags: {} },
  verbs: {},
  notes: [
    'To enable it permanently:',
    '  bash   qwen completion bash >> ~/.bashrc',
    '  zsh    qwen completion zsh > "${fpath[1]}/_qwen"',
    '  fish   qwen completion fish > ~/.config/fish/completions/qwen.fish',
  ].join('\n'),
} as const satisfies CommandSpec;
