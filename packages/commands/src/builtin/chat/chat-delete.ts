import type { Command } from '../../command.js';
import { fails, says } from '../../command-outcome.js';
import { badUsage } from '../command-text.js';
import { completeTag } from './complete-tag.js';

export const chatDeleteCommand: Command = {
  name: 'chat delete',
  description: 'Removes a saved checkpoint.',
  kind: 'built-in',
  usage: 'TAG',
  run: async ({ args: tag }, { checkpoints }) => {
    if (tag === '') return badUsage(chatDeleteCommand);
    const isDeleted = await checkpoints.delete(tag);
    return isDeleted
      ? says(`Removed the checkpoint "${tag}".`)
      : fails('session_not_found', `There is no checkpoint "${tag}".`);
  },
  complete: completeTag,
};
