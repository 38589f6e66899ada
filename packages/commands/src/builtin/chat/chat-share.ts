import type { Command } from '../../command.js';
import { badUsage } from '../command-text.js';
import { conversationFileName, writeConversation } from '../write-conversation.js';

export const chatShareCommand: Command = {
  name: 'chat share',
  description: 'Writes the conversation to a Markdown or JSON file.',
  kind: 'built-in',
  usage: '[FILE.md|FILE.json]',
  run: async (call, host) => {
    const path = call.args === '' ? conversationFileName('conversation', host.session.sessionId, 'json') : call.args;
    const format = /\.(md|json)$/i.exec(path)?.[1]?.toLowerCase();
    if (format !== 'md' && format !== 'json') {
      return badUsage(chatShareCommand, 'The name of the file must end in .md or .json.');
    }
    return writeConversation({ path, format }, call, host);
  },
};
