import type { Command } from '../../command.js';
import { says } from '../../command-outcome.js';
import { serverText } from './server-text.js';

export const mcpListCommand: Command = {
  name: 'mcp list',
  description: 'Lists the MCP servers and their tools.',
  aliases: ['ls', 'nodesc'],
  kind: 'built-in',
  run: async (_call, { mcp }) => says(serverText(await mcp.list(), 'names')),
};
