import type { Command } from '../../command.js';
import { says } from '../../command-outcome.js';
import { list } from '../command-text.js';

export const directoryShowCommand: Command = {
  name: 'directory show',
  description: 'Lists the folders of the workspace.',
  kind: 'built-in',
  run: async (_call, { folders, facts }) => says(list('Workspace:', folders.list(), facts.cwd)),
};
