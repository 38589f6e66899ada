import type { Command } from '../command.js';
import { says } from '../command-outcome.js';
import { NEW_ISSUE_URL } from './project-addresses.js';

/** More does not fit into an address that every browser takes. */
const MAX_TITLE_LENGTH = 200;

export const bugCommand: Command = {
  name: 'bug',
  description: 'Gives the address for reporting a fault.',
  kind: 'built-in',
  usage: '[TITLE]',
  run: async ({ args }, { facts, session }) => {
    const address = new URL(NEW_ISSUE_URL);
    if (args !== '') address.searchParams.set('title', [...args].slice(0, MAX_TITLE_LENGTH).join(''));
    const about = `Version: ${facts.version}\nPlatform: ${facts.platform}\nModel: ${session.model}`;
    address.searchParams.set('body', `\n\n${about}`);
    return says(`To report a fault, open\n${address.href}\nIt holds:\n${about}`);
  },
};
