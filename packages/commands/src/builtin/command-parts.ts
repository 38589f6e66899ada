import { type Command, type CommandCall, type Completion, isConfirmed } from '../command.js';
import { type CommandOutcome, failure, info, type MessageOutcome } from '../command-outcome.js';

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

export function unknownSubcommand(name: string, args: string) {
  const [word = ''] = args.split(/\s/, 1);
  return failure('unknown_command', `Unknown command: /${name} ${word}`);
}

/** Ignores case and keeps the order. */
export function startingWith(partial: string, values: readonly (string | Completion)[]): Completion[] {
  const typed = partial.toLowerCase();
  return values
    .map((value) => (typeof value === 'string' ? { value } : value))
    .filter(({ value }) => value.toLowerCase().startsWith(typed));
}

/** The question or cancellation to return; undefined once the user has confirmed. */
export function askFirst(call: CommandCall, prompt: string): CommandOutcome | undefined {
  if (isConfirmed(call)) return undefined;
  if (call.confirmationOutcome === 'cancel') return info('Cancelled. Nothing was changed.');
  return { type: 'confirm_action', prompt, rawInvocation: call.raw };
}

/** For example `/chat save TAG`. */
export function usageOf({ name, usage }: Pick<Command, 'name' | 'usage'>): string {
  return usage === undefined ? `/${name}` : `/${name} ${usage}`;
}

export function commandLine(command: Command): string {
  return `${usageOf(command)} - ${command.description}`;
}

export function badUsage(command: Pick<Command, 'name' | 'usage'>, problem?: string): MessageOutcome {
  const usage = `Usage: ${usageOf(command)}`;
  return failure('usage', problem === undefined ? usage : `${problem}\n${usage}`);
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

export function list(heading: string, items: readonly string[], none: string): string {
  return items.length === 0 ? none : [heading, ...items.map((item) => `  ${item}`)].join('\n');
}

export function timeText(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

const MAX_TEXT_LENGTH = 80;

export function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_TEXT_LENGTH ? `${line.slice(0, MAX_TEXT_LENGTH - 1)}…` : line;
}
