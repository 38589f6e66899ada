import type { Command } from '../command.js';
import { EXPORT_FORMATS } from '../conversation/render-conversation.js';
import { badUsage } from './command-text.js';
import { startingWith } from './completions.js';
import { conversationFileName, writeConversation } from './write-conversation.js';

export const exportCommand: Command = {
  name: 'export',
  description: 'Writes the conversation to a file.',
  kind: 'built-in',
  usage: 'md|json|jsonl|html [FILE]',
  run: async (call, host) => {
    const [, wanted = '', path = ''] = /^(\S*)\s*([^]*)$/.exec(call.args) ?? [];
    const format = EXPORT_FORMATS.find((one) => one === wanted.toLowerCase());
    if (format === undefined) return badUsage(exportCommand);
    const file = { format, path: path === '' ? conversationFileName('session', host.session.sessionId, format) : path };
    return writeConversation(file, call, host);
  },
  complete: async (partial) => startingWith(partial, EXPORT_FORMATS),
};
