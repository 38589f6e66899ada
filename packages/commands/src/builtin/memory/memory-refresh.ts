import type { Command } from '../../command.js';
import { says } from '../../command-outcome.js';

export const memoryRefreshCommand: Command = {
  name: 'memory refresh',
  description: 'Has the files of instructions read again.',
  aliases: ['reload'],
  kind: 'built-in',
  run: async (_call, { memory }) => {
    await memory.refresh();
    const files = await memory.list();
    const length = files.reduce((sum, { text }) => sum + text.length, 0);
    return says(`Memory was read again: ${length} characters of ${files.length} file(s).`);
  },
};
