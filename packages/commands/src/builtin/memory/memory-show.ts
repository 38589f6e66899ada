import type { Command } from '../../command.js';
import { says } from '../../command-outcome.js';

export const memoryShowCommand: Command = {
  name: 'memory show',
  description: 'Shows the instructions that the model reads.',
  kind: 'built-in',
  run: async (_call, { memory }) => {
    const files = await memory.list();
    if (files.length === 0) return says('There is nothing in memory: no QWEN.md and no AGENTS.md.');
    return says(files.map(({ path, text }) => `--- ${path}\n${text.trimEnd()}`).join('\n\n'));
  },
};
