import { AgentError, escapeHidden, nearestName } from '@qwen/protocol';
import type { ConfirmationOutcome } from '@qwen/protocol/openai';
import type { Command, CommandCall } from './command.js';
import { type CommandOutcome, failure, info } from './command-outcome.js';
import type { CommandRegistry } from './command-registry.js';
import type { CommandHost } from './host/command-host.js';

export interface CommandInvocation {
  /** For example `['chat', 'list']`. `args` may start with further subcommands. */
  readonly path: readonly string[];
  readonly args: string;
  /** Default: built from `path` and `args`. */
  readonly raw?: string;
  readonly approvedCommands?: readonly string[];
  readonly confirmationOutcome?: ConfirmationOutcome;
  readonly signal?: AbortSignal;
}

export interface CommandRun {
  /** With aliases resolved, if there is such a command. */
  readonly path: readonly string[];
  readonly args: string;
  readonly outcome: CommandOutcome;
}

/** Never rejects: errors become messages. Without dialogs, a dialog becomes a message with its text. */
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

/** Text from files and servers may contain escape sequences that must not reach a terminal. */
function visible(outcome: CommandOutcome): CommandOutcome {
  switch (outcome.type) {
    case 'message':
    case 'dialog':
      return { ...outcome, content: escapeHidden(outcome.content, { keepLines: true }) };
    case 'confirm_action':
      return { ...outcome, prompt: escapeHidden(outcome.prompt, { keepLines: true }) };
    default:
      return outcome;
  }
}

interface NamedCommand {
  readonly command: Command;
  readonly args: string;
}

function findCommand(registry: CommandRegistry, path: readonly string[], args: string): NamedCommand | undefined {
  const words = path.flatMap((step) => step.split(/\s+/));
  const found = registry.match(words);
  if (found === undefined) return undefined;
  return deepest(registry, { command: found.command, args: [...words.slice(found.length), args].join(' ').trim() });
}

function deepest(registry: CommandRegistry, named: NamedCommand): NamedCommand {
  const [word = ''] = named.args.split(/\s/, 1);
  const child = word === '' ? undefined : registry.find(`${named.command.name} ${word}`);
  if (child === undefined) return named;
  return deepest(registry, { command: child, args: named.args.slice(word.length).trim() });
}

/** The content is a fixed wire text. */
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
 * Undefined for a prompt: text without `/`, paths such as `/usr/bin …`, and `//…` or `/*…`. `?` and `? <command>`
 * mean `/help`; other text after `?` is a prompt. Unknown names are commands, and running them is an error.
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
