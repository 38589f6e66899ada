import { AgentError } from '@qwen/protocol';
import type { Command } from '../../command.js';
import { fails, says } from '../../command-outcome.js';
import { completeServer } from './complete-server.js';

export const mcpRefreshCommand: Command = {
  name: 'mcp refresh',
  description: 'Connects to an MCP server, or to all of them, anew.',
  kind: 'built-in',
  usage: '[SERVER]',
  run: async ({ args }, { mcp }) => {
    const names = args === '' ? (await mcp.list()).map(({ name }) => name) : [args];
    if (names.length === 0) return says('There are no MCP servers.');
    const results = await Promise.allSettled(names.map((name) => mcp.reconnect(name)));
    const lines = results.map((result, index) => {
      const end = result.status === 'fulfilled' ? 'is connected' : `failed: ${AgentError.from(result.reason).message}`;
      return `${names[index]} ${end}`;
    });
    const isWell = results.every(({ status }) => status === 'fulfilled');
    return isWell ? says(lines.join('\n')) : fails('mcp_failed', lines.join('\n'));
  },
  complete: completeServer,
};
