import { AgentError, type SDKResultMessage } from '@qwen/protocol';
import type { TransportExit } from '../transport/transport.js';

/** Lines of stderr in the message; `data.stderrTail` has up to 64 KiB. */
const LINES_IN_MESSAGE = 5;

export interface EarlyExit {
  readonly exit: TransportExit;
  readonly sessionId: string | undefined;
  /** The last result. If it is an error, it often explains the exit. */
  readonly lastResult: SDKResultMessage | undefined;
}

/**
 * `process_exited` with exit code or signal, the end of stderr, the session to resume and the error of the last
 * result. If the transport reports an error of its own, that one.
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
  return new AgentError('process_exited', `The qwen CLI ${how} before it finished.${why}${lines}`, {
    data: {
      exitCode,
      signal,
      stderrTail,
      ...sessionData,
      ...(lastResultError !== undefined && { lastResultError }),
    },
  });
}
