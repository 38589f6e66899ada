import type { Command } from '../../command.js';
import { says } from '../../command-outcome.js';
import { list } from '../command-text.js';

export const memoryListCommand: Command = {
  name: 'memory list',
  description: 'Lists the files of instructions that the model reads.',
  kind: 'built-in',
  run: async (_call, { memory }) => {
    const paths = (await memory.list()).map(({ path }) => path);
    return says(list('Files in memory:', paths, 'There is nothing in memory: no QWEN.md and no AGENTS.md.'));
  },
};
