import { runGuardedCommand } from '@qwen/tools';
import type { ShellOutput } from '../host/outside.js';

const TIMEOUT_MS = 30_000;
/** A prompt is for a model; more would only crowd its window. */
const MAX_OUTPUT_BYTES = 32 * 1024;

export interface ShellCommandOptions {
  readonly command: string;
  /** Absolute; the working folder. */
  readonly folder: string;
  /** What it inherits, after secrets were taken out. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Default 30 000. */
  readonly timeoutMs?: number;
}

/**
 * Runs a command of a command file as the shell tool runs its own: in a group that ends with it, without a terminal, with
 * a deadline and a limit of what is kept. Rejects with `tool_failed` when it cannot be started, and with the reason of
 * the signal.
 */
export async function runShellCommand(options: ShellCommandOptions): Promise<ShellOutput> {
  const { timeoutMs = TIMEOUT_MS, signal, ...request } = options;
  signal.throwIfAborted();
  const {
    output,
    errors,
    isCut,
    exitCode,
    signal: killedBy,
    endedBy,
  } = await runGuardedCommand({
    ...request,
    variables: {},
    input: '',
    timeoutMs,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    signal,
  });
  signal.throwIfAborted();
  const failure =
    endedBy === 'timeout'
      ? `timed out after ${timeoutMs} ms and was stopped`
      : exitCode === 0
        ? undefined
        : exitCode === null
          ? `ended by signal ${killedBy}`
          : `exit code ${exitCode}`;
  const parts = [output, errors, isCut ? '[output was cut]' : ''].map((part) => part.trimEnd());
  return { output: parts.filter((part) => part !== '').join('\n'), ...(failure !== undefined && { failure }) };
}
