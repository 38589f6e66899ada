import type { Command } from '../../command.js';
import { unknownSubcommand } from '../command-group.js';
import { mcpListCommand } from './mcp-list.js';

export const mcpCommand: Command = {
  name: 'mcp',
  description: 'Lists MCP servers and what they offer.',
  kind: 'built-in',
  run: async (call, host) => (call.args === '' ? mcpListCommand.run(call, host) : unknownSubcommand('mcp', call.args)),
};
