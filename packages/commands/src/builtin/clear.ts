import type { Command } from '../command.js';

export const clearCommand: Command = {
  name: 'clear',
  description: 'Clear the screen and conversation history',
  aliases: ['reset', 'new'],
  kind: 'built-in',
  run: async (_call, { session }) => {
    await session.clear();
    return { type: 'handled' };
  },
};
