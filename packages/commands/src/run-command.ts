import { AgentError, nearestName } from '@qwen/protocol';
import type { ConfirmationOutcome } from '@qwen/protocol/openai';
import type { Command, CommandCall } from './command.js';
import { type CommandOutcome, failure, info } from './command-outcome.js';
import type { CommandRegistry } from './command-registry.js';
import type { CommandHost } from './host/command-host.js';
import { toVisibleText } from './visible-text.js';

/** A command to be carried out, named by its path (F-06) or read from a line. */
export interface CommandInvocation {
  /** Command and subcommands, e.g. `['chat', 'list']` (F-08). Words of `args` may still name subcommands. */
  readonly path: readonly string[];
  /** The rest (F-09). */
  readonly args: string;
  /** As it was typed. Default: made of path and arguments. */
  readonly raw?: string;
  /** After `confirm_shell_commands`: those that a person said yes to. Default none. */
  readonly approvedCommands?: readonly string[];
  /** After a question (GAP-25). */
  readonly confirmationOutcome?: ConfirmationOutcome;
  /** Ends the command. Default: nothing does. */
  readonly signal?: AbortSignal;
}

/** What was run, and what it came to. */
export interface CommandRun {
  /** As the command calls itself, aliases resolved; what was asked for when there is no such command. */
  readonly path: readonly string[];
  readonly args: string;
  readonly outcome: CommandOutcome;
}

/**
 * Carries a slash command out. Never rejects: what went wrong is a message at level `error`. A typed line and an
 * explicit path act the same (F-13). Where no dialog can be shown, its words take its place.
 */
export async function runCommand(
  registry: CommandRegistry,
  invocation: CommandInvocation,
  host: CommandHost,
): Promise<CommandRun> {
  const { path, args } = invocation;
  const found = findCommand(registry, path, args);
  if (found === undefined) return { path, args, outcome: unknownCommand(registry, path) };
  const { command } = found;
  const call: CommandCall = {
    args: found.args,
    raw: invocation.raw ?? `/${[...path, args].join(' ').trim()}`,
    approvedCommands: invocation.approvedCommands ?? [],
    ...(invocation.confirmationOutcome !== undefined && { confirmationOutcome: invocation.confirmationOutcome }),
    signal: invocation.signal ?? new AbortController().signal,
    commands: registry.list(),
    conflicts: registry.conflicts,
  };
  const outcome = await carryOut(command, call, host);
  return { path: command.name.split(' '), args: found.args, outcome: visible(outcome) };
}

async function carryOut(command: Command, call: CommandCall, host: CommandHost): Promise<CommandOutcome> {
  try {
    const outcome = await command.run(call, host);
    const isDialog = outcome.type === 'dialog' && !host.surface.showsDialogs;
    return isDialog ? info(outcome.content) : outcome;
  } catch (thrown) {
    if (call.signal.aborted) return failure('cancelled', 'Cancelled.');
    const error = AgentError.from(thrown);
    return failure(error.code, error.message);
  }
}

/** Files, servers and earlier sessions name things as they like; no terminal shall obey what is only shown (S46). */
function visible(outcome: CommandOutcome): CommandOutcome {
  switch (outcome.type) {
    case 'message':
    case 'dialog':
      return { ...outcome, content: toVisibleText(outcome.content) };
    case 'confirm_action':
      return { ...outcome, prompt: toVisibleText(outcome.prompt) };
    default:
      return outcome;
  }
}

interface NamedCommand {
  readonly command: Command;
  readonly args: string;
}

/** Words of the path that name no command are arguments. */
function findCommand(registry: CommandRegistry, path: readonly string[], args: string): NamedCommand | undefined {
  const words = path.flatMap((step) => step.split(/\s+/));
  const found = registry.match(words);
  if (found === undefined) return undefined;
  return deepest(registry, { command: found.command, args: [...words.slice(found.length), args].join(' ').trim() });
}

/** Takes words off the arguments as long as they name subcommands. */
function deepest(registry: CommandRegistry, named: NamedCommand): NamedCommand {
  const [word = ''] = named.args.split(/\s/, 1);
  const child = word === '' ? undefined : registry.find(`${named.command.name} ${word}`);
  if (child === undefined) return named;
  return deepest(registry, { command: child, args: named.args.slice(word.length).trim() });
}

/** The words of GAP-26, and nothing else in the content. */
function unknownCommand(registry: CommandRegistry, path: readonly string[]): CommandOutcome {
  const name = path.join(' ');
  const suggestion = nearestName(name, registry.list().flatMap(namesOf));
  return {
    ...failure('unknown_command', `Unknown command: /${name}`),
    ...(suggestion !== undefined && { suggestion }),
  };
}

function namesOf({ name, aliases = [] }: Command): string[] {
  return name.includes(' ') ? [name] : [name, ...aliases];
}

/**
 * The command that a text is, typed in by a person (F-01); undefined when it is something to say to the model. A command
 * begins with `/` and a word that is no path: `//…`, `/*…` and `/usr/bin …` are none. `?` and `? <command>` ask for
 * help, all other text that begins with `?` is prose (CF-67). A name that nobody knows is a command too: running it
 * says so.
 */
export function parseCommandLine(text: string, registry: CommandRegistry): CommandInvocation | undefined {
  const raw = text.trim();
  if (raw.startsWith('?')) {
    const asked = raw.slice(1).trim();
    const isHelp = asked === '' || registry.find(asked) !== undefined;
    return isHelp ? { path: ['help'], args: asked, raw } : undefined;
  }
  const [, word, rest = ''] = /^\/(\S*)\s*([^]*)$/.exec(raw) ?? [];
  if (word === undefined || /^\*|\//.test(word)) return undefined;
  if (word === '?') return { path: ['help'], args: rest, raw };
  return { path: [word], args: rest, raw };
}
