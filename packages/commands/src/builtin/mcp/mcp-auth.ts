import type { Command } from '../../command.js';
import { says } from '../../command-outcome.js';
import { list } from '../command-text.js';
import { completeServer } from './complete-server.js';

export const mcpAuthCommand: Command = {
  name: 'mcp auth',
  description: 'Signs in to an MCP server.',
  kind: 'built-in',
  usage: '[SERVER]',
  run: async ({ args, signal }, { mcp }) => {
    if (args === '') {
      const waiting = (await mcp.list()).filter(({ needsSignIn }) => needsSignIn).map(({ name }) => name);
      return says(list('To be signed in to:', waiting, 'No MCP server has to be signed in to.'));
    }
    await mcp.signIn(args, signal);
    return says(`Signed in to ${args}; it is connected.`);
  },
  complete: completeServer,
};
