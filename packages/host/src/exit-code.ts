import { AgentError, ERROR_CODES } from '@qwen/protocol';

/** The exit code for an error that ended the program. */
export function toExitCode(thrown: unknown): number {
  return ERROR_CODES[AgentError.from(thrown).code].exitCode;
}
