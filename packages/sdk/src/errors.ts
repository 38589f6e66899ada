import { AgentError } from '@qwen/protocol';

/**
 * Thrown by the iteration after the app aborted the query. Its code is `aborted`.
 *
 * @example
 * import { AbortError, query } from '@qwen/sdk';
 *
 * const abortController = new AbortController();
 * setTimeout(() => abortController.abort(), 60_000);
 * try {
 *   for await (const message of query({ prompt: 'Fix the tests.', options: { abortController } })) console.log(message);
 * } catch (error) {
 *   if (!(error instanceof AbortError)) throw error;
 *   console.log('Stopped after one minute.');
 * }
 */
export class AbortError extends AgentError {
  static {
    AbortError.prototype.name = 'AbortError';
    Object.defineProperty(AbortError, 'name', { value: 'AbortError' });
  }

  /** `cause` is the reason of the signal. */
  constructor(message = 'The query was aborted.', options: { readonly cause?: unknown } = {}) {
    super('aborted', message, options);
  }
}

/**
 * Whether this is an abort: an `AbortError` of any copy of this package, or of the platform.
 *
 * @example
 * import { isAbortError, query } from '@qwen/sdk';
 *
 * const abortController = new AbortController();
 * process.once('SIGINT', () => abortController.abort());
 * try {
 *   for await (const message of query({ prompt: 'Fix the tests.', options: { abortController } })) console.log(message);
 * } catch (error) {
 *   if (!isAbortError(error)) throw error;
 * }
 */
export function isAbortError(error: unknown): error is AbortError {
  if (AgentError.is(error)) return error.code === 'aborted';
  return error instanceof Error && error.name === 'AbortError';
}
