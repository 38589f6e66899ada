import type { Command } from '../command.js';
import { says } from '../command-outcome.js';
import { DOCUMENTATION_URL } from './project-addresses.js';

export const docsCommand: Command = {
  name: 'docs',
  description: 'Gives the address of the documentation.',
  kind: 'built-in',
  run: async () => says(`The documentation is at ${DOCUMENTATION_URL}`),
};
