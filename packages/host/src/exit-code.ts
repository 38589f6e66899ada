import { AgentError, ERROR_CODES } from '@qwen/protocol';

/** The exit code for whatever ended the program (GAP-11). */
export function toExitCode(thrown: unknown): number {
  return ERROR_CODES[AgentError.from(thrown).code].exitCode;
}
