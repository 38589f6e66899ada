import { commandEnvironment, type Environment } from './command-environment.js';
import type { CommandResult } from './run-command.js';

/** A command of the user, such as a hook, that takes text and answers with text. */
export interface GuardedCommand {
  readonly command: string;
  /** Absolute; must be a folder. */
  readonly folder: string;
  /** What it inherits, after secrets were taken out. */
  readonly environment: Environment;
  /** Variables beside those, as they are. */
  readonly variables: Readonly<Record<string, string>>;
  /** What it reads on stdin. */
  readonly input: string;
  readonly timeoutMs: number;
  /** How much is kept of what it writes, of each stream. */
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
}

/**
 * Runs a command as the shell tool does: in a group of its own that ends with it, with its deadline, with the signal
 * and with us. Rejects with `tool_failed` when it cannot be started.
 */
export async function runGuardedCommand(command: GuardedCommand): Promise<CommandResult> {
  const { environment, variables, ...request } = command;
  const { runCommand } = await import('./run-command.js');
  return runCommand({
    ...request,
    environment: { ...commandEnvironment({ base: environment, keep: new Set() }), ...variables },
    streams: 'apart',
    emit: () => undefined,
  });
}
