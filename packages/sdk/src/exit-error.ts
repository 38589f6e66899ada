import { AgentError, type SDKResultMessage } from '@qwen/protocol';
import type { TransportExit } from './transport/transport.js';

/** Lines of stderr that are repeated in the message of the error; `data.stderrTail` has more. */
const LINES_IN_MESSAGE = 5;

/** What the query knows when its CLI goes away too early. */
export interface EarlyExit {
  readonly exit: TransportExit;
  readonly sessionId: string | undefined;
  /** The last result, if it was an error: it often says why. */
  readonly lastResult: SDKResultMessage | undefined;
}

/**
 * `process_exited` with everything that helps to find out why (B9): exit code or signal, the end of stderr, the
 * session to resume and the error of the last result. Where the transport has an error of its own, that one.
 */
export function toExitError({ exit, sessionId, lastResult }: EarlyExit): AgentError {
  const { exitCode, signal, stderrTail, brokenBy, error } = exit;
  const sessionData = sessionId === undefined ? {} : { sessionId };
  if (error !== undefined) {
    return new AgentError(error.code, error.message, { cause: error, data: { ...error.data, ...sessionData } });
  }
  const how = signal === null ? `exited with code ${exitCode}` : `was ended by ${signal}`;
  const why = brokenBy === undefined ? '' : ` ${brokenBy}`;
  const lines = stderrTail === '' ? '' : `\n${stderrTail.split('\n').slice(-LINES_IN_MESSAGE).join('\n')}`;
  const lastResultError = lastResult?.is_error === true ? (lastResult.error?.message ?? lastResult.subtype) : undefined;
  return new AgentError('process_exited', `The qwen CLI ${how} before its work was done.${why}${lines}`, {
    data: {
      exitCode,
      signal,
      stderrTail,
      ...sessionData,
      ...(lastResultError !== undefined && { lastResultError }),
    },
  });
}
