import { AgentError, ERROR_CODES } from '@qwen/protocol';

export function toExitCode(thrown: unknown): number {
  return ERROR_CODES[AgentError.from(thrown).code].exitCode;
}
