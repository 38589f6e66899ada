import { type Command, type CommandCall, type Completion, isConfirmed } from '../command.js';
import { type CommandOutcome, fails, says } from '../command-outcome.js';
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

/** The values that go on from what was typed, without regard to case, in their order. */
export function startingWith(partial: string, values: readonly (string | Completion)[]): Completion[] {
  const typed = partial.toLowerCase();
  return values
    .map((value) => (typeof value === 'string' ? { value } : value))
    .filter(({ value }) => value.toLowerCase().startsWith(typed));
}

/** What to answer instead of going on, until a person has said yes (F-28). Undefined: go on. */
export function askFirst(call: CommandCall, prompt: string): CommandOutcome | undefined {
  if (isConfirmed(call)) return undefined;
  if (call.confirmationOutcome === 'cancel') return says('Cancelled: nothing was changed.');
  return { type: 'confirm_action', prompt, rawInvocation: call.raw };
}
