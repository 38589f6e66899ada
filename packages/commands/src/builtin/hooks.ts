import type { Command } from '../command.js';
import { says } from '../command-outcome.js';
import { list } from './command-text.js';

export const hooksCommand: Command = {
  name: 'hooks',
  description: 'Lists the hooks that are set up.',
  kind: 'built-in',
  run: async (_call, { hooks }) => {
    const lines = (await hooks.list()).map(
      ({ event, matcher, action }) => `${event}${matcher === undefined ? '' : ` (${matcher})`}: ${action}`,
    );
    return says(list('Hooks:', lines, 'There are no hooks.'));
  },
};
