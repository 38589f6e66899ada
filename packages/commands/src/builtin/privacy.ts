import type { Command } from '../command.js';
import { accountText } from './about.js';

export const privacyCommand: Command = {
  name: 'privacy',
  description: 'Says what leaves this machine.',
  kind: 'built-in',
  run: async (_call, { facts }) => ({
    type: 'dialog',
    dialog: 'privacy',
    content: [
      `What you write, the files and command output that the model reads, and its instructions go to the model.`,
      `Model: ${accountText(facts.account)}`,
      'MCP servers get the arguments of the calls made to them. Nothing is sent anywhere else, and no usage is reported.',
      'Conversations are kept on this machine, in files that only you can read.',
    ].join('\n'),
  }),
};
