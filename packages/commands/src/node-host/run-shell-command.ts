import { type GuardedCommand, preventedBySandbox, runGuardedCommand } from '@qwen/tools';
import type { ShellOutput } from '../host/system-access.js';

const TIMEOUT_MS = 30_000;
const MAX_OUTPUT_BYTES = 32 * 1024;

export interface ShellCommandOptions extends Pick<GuardedCommand, 'sandbox'> {
  readonly command: string;
  readonly folder: string;
  /** Secrets are removed before it is passed on. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Variables to keep although they look like credentials. */
  readonly keep?: readonly string[];
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

/**
 * Runs like the shell tool: in its own process group, with a timeout and an output limit. Rejects with `tool_failed`
 * if it cannot start.
 */
export async function runShellCommand(options: ShellCommandOptions): Promise<ShellOutput> {
  const { timeoutMs = TIMEOUT_MS, signal, ...request } = options;
  signal.throwIfAborted();
  const result = await runGuardedCommand({
    ...request,
    variables: {},
    input: '',
    timeoutMs,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    signal,
  });
  signal.throwIfAborted();
  const { output, errors, isCut, exitCode, signal: killedBy, endedBy } = result;
  const problem =
    endedBy === 'timeout'
      ? `timed out after ${timeoutMs} ms and was stopped`
      : exitCode === 0
        ? undefined
        : exitCode === null
          ? `terminated by signal ${killedBy}`
          : `exit code ${exitCode}`;
  const cause = request.sandbox === undefined ? undefined : preventedBySandbox(result);
  const failure = [problem, cause && `in the sandbox, ${cause}`].filter((text) => text !== undefined).join('; ');
  const parts = [output, errors, isCut ? '[output truncated]' : ''].map((part) => part.trimEnd());
  return { output: parts.filter((part) => part !== '').join('\n'), ...(failure !== '' && { failure }) };
}
