import type { Command } from '../../command.js';
import { says } from '../../command-outcome.js';
import { list, timeText } from '../command-text.js';

export const chatListCommand: Command = {
  name: 'chat list',
  description: 'Lists the saved checkpoints.',
  kind: 'built-in',
  run: async (_call, { checkpoints }) => {
    const lines = (await checkpoints.list()).map(({ tag, savedAtMs }) => `${tag}  ${timeText(savedAtMs)}`);
    return says(list('Saved checkpoints:', lines, 'There are no saved checkpoints.'));
  },
};
