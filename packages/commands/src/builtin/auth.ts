import type { Command } from '../command.js';
import { accountText } from './about.js';

export const authCommand: Command = {
  name: 'auth',
  description: 'Changes how model calls are paid for.',
  kind: 'built-in',
  run: async (_call, { facts }) => ({
    type: 'dialog',
    dialog: 'auth',
    content:
      `Account: ${accountText(facts.account)}\n` +
      'To change it, set OPENAI_API_KEY and OPENAI_BASE_URL, DASHSCOPE_API_KEY or GEMINI_API_KEY, and start again.',
  }),
};
