import type { Command } from '../command.js';
import { fails, type MessageOutcome } from '../command-outcome.js';

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
  return fails('usage', problem === undefined ? usage : `${problem}\n${usage}`);
}

/** A list under its heading; `none` when it is empty. */
export function list(heading: string, items: readonly string[], none: string): string {
  return items.length === 0 ? none : [heading, ...items.map((item) => `  ${item}`)].join('\n');
}

/** A time for people, in UTC. */
export function timeText(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
