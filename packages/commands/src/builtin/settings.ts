import type { Command } from '../command.js';
import { list } from './command-text.js';

export const settingsCommand: Command = {
  name: 'settings',
  description: 'Shows and changes settings.',
  kind: 'built-in',
  run: async (_call, { facts }) => ({
    type: 'dialog',
    dialog: 'settings',
    content: list('Settings files, the strongest last:', facts.settingsFiles, 'There are no settings files.'),
  }),
};
