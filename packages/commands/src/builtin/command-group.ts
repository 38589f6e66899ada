import type { Command } from '../command.js';
import { fails, says } from '../command-outcome.js';
import { commandLine } from './command-text.js';

/** A command that is nothing but the first word of others: it lists them. */
export function commandGroup(facts: Pick<Command, 'name' | 'description' | 'aliases'>): Command {
  const { name } = facts;
  return {
    ...facts,
    kind: 'built-in',
    run: async ({ args, commands }) => {
      if (args !== '') return unknownSubcommand(name, args);
      return says(
        commands
          .filter((one) => one.name.startsWith(`${name} `))
          .map(commandLine)
          .join('\n'),
      );
    },
  };
}

/** The words of GAP-26 for a subcommand. */
export function unknownSubcommand(name: string, args: string) {
  const [word = ''] = args.split(/\s/, 1);
  return fails('unknown_command', `Unknown command: /${name} ${word}`);
}
