import type { Command } from '../command.js';
import { failure, info } from '../command-outcome.js';
import { hasMessages } from '../conversation/record-text.js';
import { askFirst, badUsage, commandGroup, list, startingWith, timeText } from './command-parts.js';
import { conversationFileName, writeConversation } from './write-conversation.js';

const chat = commandGroup({ name: 'chat', description: 'Manage conversation history.' });

const completeTag: NonNullable<Command['complete']> = async (partial, { host }) =>
  startingWith(
    partial,
    (await host.checkpoints.list()).map(({ tag, savedAtMs }) => ({ value: tag, description: timeText(savedAtMs) })),
  );

const deleteTag: Command = {
  name: 'chat delete',
  description: 'Delete a checkpoint.',
  kind: 'built-in',
  usage: 'TAG',
  run: async ({ args: tag }, { checkpoints }) => {
    if (tag === '') return badUsage(deleteTag);
    const isDeleted = await checkpoints.delete(tag);
    return isDeleted ? info(`Deleted checkpoint "${tag}".`) : unknownCheckpoint(tag);
  },
  complete: completeTag,
};

const listTags: Command = {
  name: 'chat list',
  description: 'List the saved checkpoints.',
  kind: 'built-in',
  run: async (_call, { checkpoints }) => {
    const lines = (await checkpoints.list()).map(({ tag, savedAtMs }) => `${tag}  ${timeText(savedAtMs)}`);
    return info(list('Saved checkpoints:', lines, 'There are no saved checkpoints.'));
  },
};

const resume: Command = {
  name: 'chat resume',
  description: 'Resume a checkpoint.',
  aliases: ['load'],
  kind: 'built-in',
  usage: 'TAG',
  run: async ({ args: tag }, { session, checkpoints }) => {
    if (tag === '') return badUsage(resume);
    const history = await checkpoints.load(tag);
    if (history === undefined) return unknownCheckpoint(tag);
    await session.restore(history);
    return { type: 'load_history', history };
  },
  complete: completeTag,
};

const save: Command = {
  name: 'chat save',
  description: 'Save the conversation as a checkpoint.',
  kind: 'built-in',
  usage: 'TAG',
  run: async (call, { session, checkpoints }) => {
    const { args: tag } = call;
    if (tag === '') return badUsage(save);
    const records = await session.records();
    if (!hasMessages(records)) return info('The conversation is empty.');
    if ((await checkpoints.list()).some((one) => one.tag === tag)) {
      const question = askFirst(call, `Checkpoint "${tag}" already exists. Replace it?`);
      if (question !== undefined) return question;
    }
    await checkpoints.save(tag, records);
    return info(`Saved checkpoint "${tag}".`);
  },
  complete: completeTag,
};

const share: Command = {
  name: 'chat share',
  description: 'Export the conversation to a Markdown or JSON file.',
  kind: 'built-in',
  usage: '[FILE.md|FILE.json]',
  run: async (call, host) => {
    const path = call.args === '' ? conversationFileName('conversation', host.session.sessionId, 'json') : call.args;
    const format = /\.(md|json)$/i.exec(path)?.[1]?.toLowerCase();
    if (format !== 'md' && format !== 'json') {
      return badUsage(share, 'The file name must end in .md or .json.');
    }
    return writeConversation({ path, format }, call, host);
  },
};

function unknownCheckpoint(tag: string) {
  return failure('session_not_found', `There is no checkpoint "${tag}". /chat list shows the saved ones.`);
}

export const chatCommands: readonly Command[] = [chat, deleteTag, listTags, resume, save, share];
