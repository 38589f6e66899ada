import type { Command } from '../../command.js';
import { says } from '../../command-outcome.js';
import { serverText } from './server-text.js';

export const mcpDescCommand: Command = {
  name: 'mcp desc',
  description: 'Lists the MCP servers and what their tools do.',
  aliases: ['descriptions'],
  kind: 'built-in',
  run: async (_call, { mcp }) => says(serverText(await mcp.list(), 'descriptions')),
};
