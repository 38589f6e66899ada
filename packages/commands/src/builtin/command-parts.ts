import { type Command, type CommandCall, type Completion, isConfirmed } from '../command.js';
import { type CommandOutcome, failure, info, type MessageOutcome } from '../command-outcome.js';

/** A command that is nothing but the first word of others: it lists them. */
export function commandGroup(facts: Pick<Command, 'name' | 'description' | 'aliases'>): Command {
  const { name } = facts;
  return {
    ...facts,
    kind: 'built-in',
    run: async ({ args, commands }) => {
      if (args !== '') return unknownSubcommand(name, args);
      return info(
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
  return failure('unknown_command', `Unknown command: /${name} ${word}`);
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
  if (call.confirmationOutcome === 'cancel') return info('Cancelled: nothing was changed.');
  return { type: 'confirm_action', prompt, rawInvocation: call.raw };
}

/** How a command is typed, e.g. `/chat save TAG`. */
export function usageOf({ name, usage }: Pick<Command, 'name' | 'usage'>): string {
  return usage === undefined ? `/${name}` : `/${name} ${usage}`;
}

/** A command in a list of commands. */
export function commandLine(command: Command): string {
  return `${usageOf(command)} - ${command.description}`;
}

/** The answer to arguments that a command cannot do with. */
export function badUsage(command: Pick<Command, 'name' | 'usage'>, problem?: string): MessageOutcome {
  const usage = `Usage: ${usageOf(command)}`;
  return failure('usage', problem === undefined ? usage : `${problem}\n${usage}`);
}

/** A list under its heading; `none` when it is empty. */
export function list(heading: string, items: readonly string[], none: string): string {
  return items.length === 0 ? none : [heading, ...items.map((item) => `  ${item}`)].join('\n');
}

/** A time for people, in UTC. */
export function timeText(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
