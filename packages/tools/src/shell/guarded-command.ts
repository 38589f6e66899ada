import { commandEnvironment, type Environment } from './command-environment.js';
import type { CommandResult } from './run-command.js';

/** A command from the user's settings, such as a hook. */
export interface GuardedCommand {
  readonly command: string;
  /** Absolute. */
  readonly folder: string;
  /** Inherited without secrets. */
  readonly environment: Environment;
  /** Added unchanged. */
  readonly variables: Readonly<Record<string, string>>;
  /** For stdin. */
  readonly input: string;
  readonly timeoutMs: number;
  /** Per stream. */
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
}

/**
 * Runs a command like the shell tool: in its own process group, which ends with the command. Rejects with
 * `tool_failed` if it cannot be started.
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
