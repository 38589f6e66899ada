import type { Command } from '../../command.js';
import { listTools } from './tools.js';

export const toolsNodescCommand: Command = {
  name: 'tools nodesc',
  description: 'Lists the names of the tools.',
  kind: 'built-in',
  run: async (_call, host) => listTools(host, 'names'),
};
