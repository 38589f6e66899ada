import type { Command } from '../../command.js';
import { says } from '../../command-outcome.js';
import type { CommandHost } from '../../host/command-host.js';
import { unknownSubcommand } from '../command-group.js';
import { type ToolDetail, toolLines } from '../mcp/server-text.js';

export const toolsCommand: Command = {
  name: 'tools',
  description: 'Lists the tools that the model may use.',
  kind: 'built-in',
  run: async ({ args }, host) => (args === '' ? listTools(host, 'names') : unknownSubcommand('tools', args)),
};

/** Our own tools; those of MCP servers stand under `/mcp`. */
export async function listTools({ tools }: CommandHost, detail: ToolDetail) {
  const own = (await tools.list()).filter(({ server }) => server === undefined);
  if (own.length === 0) return says('There are no tools.');
  return says(['Tools:', ...own.flatMap((tool) => toolLines(tool, detail))].join('\n'));
}
