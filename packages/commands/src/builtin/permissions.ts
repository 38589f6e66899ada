import type { Command } from '../command.js';
import { says } from '../command-outcome.js';
import { list } from './command-text.js';

const MEANINGS = [
  ['deny', 'Never:'],
  ['ask', 'Asked about:'],
  ['allow', 'Unasked:'],
] as const;

export const permissionsCommand: Command = {
  name: 'permissions',
  description: 'Lists the permission rules in force.',
  kind: 'built-in',
  run: async (_call, { permissions }) => {
    const rules = await permissions.rules();
    const parts = MEANINGS.map(([behavior, heading]) => {
      const texts = rules.filter((rule) => rule.behavior === behavior).map(({ rule }) => rule);
      return list(heading, texts, '');
    }).filter((part) => part !== '');
    const body = parts.length === 0 ? ['There are no permission rules.'] : parts;
    return says([`Approval mode: ${permissions.mode}`, ...body].join('\n'));
  },
};
