import { AgentError } from '@qwen/protocol';

/** Thrown by the iteration after the app aborted the query. Its code is `aborted`. */
export class AbortError extends AgentError {
  static {
    AbortError.prototype.name = 'AbortError';
    Object.defineProperty(AbortError, 'name', { value: 'AbortError' });
  }

  constructor(message = 'The query was aborted.') {
    super('aborted', message);
  }
}

/** Whether this is an abort: an `AbortError` of any copy of this package, or of the platform. */
export function isAbortError(error: unknown): error is AbortError {
  if (AgentError.is(error)) return error.code === 'aborted';
  return error instanceof Error && error.name === 'AbortError';
}
