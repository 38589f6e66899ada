import type { Command } from '../../command.js';
import { listTools } from './tools.js';

export const toolsDescCommand: Command = {
  name: 'tools desc',
  description: 'Lists the tools and what they do.',
  aliases: ['descriptions'],
  kind: 'built-in',
  run: async (_call, host) => listTools(host, 'descriptions'),
};
