import { AgentError, type ErrorCode, fromWireError, type SDKMessage, type SDKResultMessage } from '@qwen/protocol';
import type { TransportExit } from '../transport/transport.js';
import type { Ending } from './ending.js';

const LINES_IN_MESSAGE = 5;

/** What the exit codes of `qwen` mean if it could not write a line. */
const REFUSED_STARTS: Readonly<Record<number, ErrorCode>> = {
  2: 'usage',
  3: 'unsupported_protocol',
  4: 'unsupported_node',
};

export interface EarlyExit {
  readonly exit: TransportExit;
  readonly sessionId: string | undefined;
  readonly lastResult: SDKResultMessage | undefined;
  /** What the CLI reported as the reason, before it exited. */
  readonly reported?: AgentError | undefined;
}

/** `isFinished`: every prompt was answered and the input has ended. */
export function endingOfExit(exit: EarlyExit, isFinished: boolean): Ending {
  const refusal = toSessionError(exit);
  if (refusal !== undefined) return { kind: 'failed', error: refusal };
  return isFinished ? { kind: 'finished' } : { kind: 'failed', error: toExitError(exit) };
}

/** The CLI exits because it could not create or resume the session, which its last result explains. */
function toSessionError({ exit, sessionId, lastResult }: EarlyExit): AgentError | undefined {
  const error = lastResult?.is_error === true ? lastResult.error : undefined;
  const code = SESSION_CODES.find((known) => known === error?.code);
  if (error === undefined || code === undefined || !exit.exitCode) return undefined;
  return new AgentError(code, `CLI process exited with code ${exit.exitCode}: ${error.message}`, {
    data: { exitCode: exit.exitCode, ...(sessionId !== undefined && { sessionId }) },
  });
}

const SESSION_CODES = ['session_exists', 'session_not_found'] as const;

export function reportedError(message: SDKMessage): AgentError | undefined {
  if (message.type !== 'system' || message.subtype !== 'error' || message.data.fatal !== true) return undefined;
  const { code, message: text, fatal: _isFatal, ...data } = message.data;
  return fromWireError({ code, message: text, data }, 'internal');
}

/** The error that the transport or the CLI reports, else `process_exited`. */
export function toExitError({ exit, sessionId, lastResult, reported }: EarlyExit): AgentError {
  const { exitCode, signal, stderrTail, brokenBy, error } = exit;
  const sessionData = sessionId === undefined ? {} : { sessionId };
  if (error !== undefined) {
    return new AgentError(error.code, error.message, { cause: error, data: { ...error.data, ...sessionData } });
  }
  const facts = { exitCode, signal, stderrTail, ...sessionData };
  const refusal = reported ?? refusalOf(exit);
  if (refusal !== undefined) {
    return new AgentError(refusal.code, refusal.message, { data: { ...refusal.data, ...facts } });
  }
  const how = signal === null ? `exited with code ${exitCode}` : `terminated by signal ${signal}`;
  const why = brokenBy === undefined ? '' : ` ${brokenBy}`;
  const lines = stderrTail === '' ? '' : `\n${lastLines(stderrTail)}`;
  const lastResultError = lastResult?.is_error === true ? lastResult.error.message : undefined;
  return new AgentError('process_exited', `CLI process ${how} before it finished.${why}${lines}`, {
    data: { ...facts, ...(lastResultError !== undefined && { lastResultError }) },
  });
}

/** A start that the same options cannot repair: the last words of `qwen` say what to change. */
function refusalOf({ exitCode, stderrTail }: TransportExit): AgentError | undefined {
  const code = exitCode === null ? undefined : REFUSED_STARTS[exitCode];
  const at = `\n${stderrTail}`.lastIndexOf('\nqwen: ');
  if (code === undefined || at === -1) return undefined;
  return new AgentError(code, stderrTail.slice(at + 'qwen: '.length));
}

function lastLines(text: string): string {
  return text.split('\n').slice(-LINES_IN_MESSAGE).join('\n');
}
