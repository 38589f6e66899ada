import { AgentError } from '@qwen/protocol';

/** What the message iterator throws after the app aborted the query. Its code is `aborted`. */
export class AbortError extends AgentError {
  static {
    AbortError.prototype.name = 'AbortError';
    Object.defineProperty(AbortError, 'name', { value: 'AbortError' });
  }

  constructor(message = 'The query was aborted.') {
    super('aborted', message);
  }
}

/** Whether this is an abort: ours, that of another copy of this package, or the one of the platform. */
export function isAbortError(error: unknown): error is AbortError {
  if (AgentError.is(error)) return error.code === 'aborted';
  return error instanceof Error && error.name === 'AbortError';
}
