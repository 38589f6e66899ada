import { AgentError, type SDKResultMessage } from '@qwen/protocol';
import type { TransportExit } from '../transport/transport.js';

const LINES_IN_MESSAGE = 5;

export interface EarlyExit {
  readonly exit: TransportExit;
  readonly sessionId: string | undefined;
  /** Often explains the exit. */
  readonly lastResult: SDKResultMessage | undefined;
}

/** `process_exited`, or the error that the transport reports. */
export function toExitError({ exit, sessionId, lastResult }: EarlyExit): AgentError {
  const { exitCode, signal, stderrTail, brokenBy, error } = exit;
  const sessionData = sessionId === undefined ? {} : { sessionId };
  if (error !== undefined) {
    return new AgentError(error.code, error.message, { cause: error, data: { ...error.data, ...sessionData } });
  }
  const how = signal === null ? `exited with code ${exitCode}` : `was ended by ${signal}`;
  const why = brokenBy === undefined ? '' : ` ${brokenBy}`;
  const lines = stderrTail === '' ? '' : `\n${stderrTail.split('\n').slice(-LINES_IN_MESSAGE).join('\n')}`;
  const lastResultError = lastResult?.is_error === true ? lastResult.error.message : undefined;
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
