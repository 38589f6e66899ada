import { commandEnvironment, type Environment } from './command-environment.js';
import type { CommandRequest, CommandResult } from './run-command.js';

export interface GuardedCommand extends Pick<CommandRequest, 'sandbox'> {
  readonly command: string;
  /** Absolute. */
  readonly folder: string;
  /** Inherited without secrets. */
  readonly environment: Environment;
  /** Variables to keep although they look like credentials. */
  readonly keep?: readonly string[];
  /** Added unchanged. */
  readonly variables: Readonly<Record<string, string>>;
  readonly input: string;
  readonly timeoutMs: number;
  /** Per stream. */
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
}

/** Like the shell tool, in its own process group. Rejects with `tool_failed` if the command cannot be started. */
export async function runGuardedCommand(command: GuardedCommand): Promise<CommandResult> {
  const { environment, keep = [], variables, ...request } = command;
  const { runCommand } = await import('./run-command.js');
  return runCommand({
    ...request,
    environment: { ...commandEnvironment({ base: environment, keep: new Set(keep) }), ...variables },
    streams: 'apart',
    emit: () => undefined,
  });
}
