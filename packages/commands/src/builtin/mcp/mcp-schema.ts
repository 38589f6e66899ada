import type { Command } from '../../command.js';
import { says } from '../../command-outcome.js';
import { serverText } from './server-text.js';

export const mcpSchemaCommand: Command = {
  name: 'mcp schema',
  description: 'Lists the MCP servers with the schemas of their tools.',
  kind: 'built-in',
  run: async (_call, { mcp }) => says(serverText(await mcp.list(), 'schemas')),
};
