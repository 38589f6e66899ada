import type { Command } from '../../command.js';
import { says } from '../../command-outcome.js';
import { hasMessages } from '../../conversation/record-text.js';
import { askFirst } from '../ask-first.js';
import { badUsage } from '../command-text.js';
import { completeTag } from './complete-tag.js';

export const chatSaveCommand: Command = {
  name: 'chat save',
  description: 'Saves the conversation as a checkpoint.',
  kind: 'built-in',
  usage: 'TAG',
  run: async (call, { session, checkpoints }) => {
    const { args: tag } = call;
    if (tag === '') return badUsage(chatSaveCommand);
    const records = await session.records();
    if (!hasMessages(records)) return says('Nothing was said yet.');
    if ((await checkpoints.list()).some((one) => one.tag === tag)) {
      const question = askFirst(call, `A checkpoint "${tag}" exists already. Replace it?`);
      if (question !== undefined) return question;
    }
    await checkpoints.save(tag, records);
    return says(`Saved the conversation as "${tag}".`);
  },
  complete: completeTag,
};
