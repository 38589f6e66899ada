import type { Command } from '../../command.js';
import { agentsText } from './agents-list.js';

export const agentsManageCommand: Command = {
  name: 'agents manage',
  description: 'Shows, changes and removes subagents.',
  kind: 'built-in',
  run: async (_call, { agents }) => ({
    type: 'dialog',
    dialog: 'subagent_list',
    content: agentsText(await agents.list()),
  }),
};
