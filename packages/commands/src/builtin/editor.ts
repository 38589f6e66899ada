import type { Command } from '../command.js';

export const editorCommand: Command = {
  name: 'editor',
  description: 'Chooses the editor for changes.',
  kind: 'built-in',
  run: async (_call, { facts: { editor } }) => ({
    type: 'dialog',
    dialog: 'editor',
    content: `Editor: ${editor ?? 'none is named'}\nTo change it, set VISUAL or EDITOR and start again.`,
  }),
};
