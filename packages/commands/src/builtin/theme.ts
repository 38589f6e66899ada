import type { Command } from '../command.js';

export const themeCommand: Command = {
  name: 'theme',
  description: 'Chooses the colours.',
  kind: 'built-in',
  run: async () => ({
    type: 'dialog',
    dialog: 'theme',
    content: 'Colours are those of your terminal. NO_COLOR=1 leaves them out.',
  }),
};
