import type { Command } from '../../command.js';
import { fails } from '../../command-outcome.js';
import { badUsage } from '../command-text.js';
import { completeTag } from './complete-tag.js';

export const chatResumeCommand: Command = {
  name: 'chat resume',
  description: 'Goes on from a saved checkpoint.',
  aliases: ['load'],
  kind: 'built-in',
  usage: 'TAG',
  run: async ({ args: tag }, { session, checkpoints }) => {
    if (tag === '') return badUsage(chatResumeCommand);
    const history = await checkpoints.load(tag);
    if (history === undefined) return fails('session_not_found', `There is no checkpoint "${tag}".`);
    await session.restore(history);
    return { type: 'load_history', history };
  },
  complete: completeTag,
};
