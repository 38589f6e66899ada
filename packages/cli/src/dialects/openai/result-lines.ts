import type {
  CancelLine,
  CommandDescriptor,
  CommandLine,
  CommandResult,
  HeartbeatLine,
  SessionEvent,
  SessionEventName,
} from '@qwen/protocol/openai';
import { type LineOrigin, promptIdOf } from './line-parts.js';

// Lines told by their `type`, which answer a request of the host or tell it something (S-05).

/** What came of a command (F-15). Without `command`: of something that was none, such as an unknown one (F-19). */
export function commandLine(origin: LineOrigin, result: CommandResult, command?: CommandDescriptor): CommandLine {
  return { type: 'result/command', ...idsOf(origin), ...(command !== undefined && { command }), result };
}

/** A sign of life (H-02). */
export function heartbeatLine(origin: LineOrigin): HeartbeatLine {
  return { type: 'result/heartbeat', ...idsOf(origin), status: 'ok', ts: origin.clock.seconds() };
}

/** What came of a cancel. */
export type CancelOutcome =
  | { readonly status: 'ok'; readonly reason?: string }
  /** `message` says why there was nothing to stop (CF-29). */
  | { readonly status: 'noop'; readonly message: string; readonly reason?: string };

/** Goes out at once (I-08, I-10). `reason`: a word of the request that we do not know (GAP-34). */
export function cancelLine(origin: LineOrigin, outcome: CancelOutcome): CancelLine {
  const { status, reason } = outcome;
  const message = outcome.status === 'ok' ? 'Request cancelled.' : outcome.message;
  return { type: 'result/cancel', ...idsOf(origin), status, message, ...(reason !== undefined && { reason }) };
}

/** A fact about the session, for people and programs. */
export interface SessionNews {
  readonly event: SessionEventName;
  readonly message: string;
  /** Counts. */
  readonly metrics?: Readonly<Record<string, number>>;
}

/** News of the session as a line of its own (CF-19). */
export function sessionEventLine(origin: LineOrigin, { event, message, metrics }: SessionNews): SessionEvent {
  return {
    type: 'x-qwen-session-event',
    event,
    message,
    ...(metrics !== undefined && { metrics: { ...metrics } }),
    ...idsOf(origin),
    log_scope: 'system',
  };
}

function idsOf(origin: LineOrigin): { session_id: string; prompt_id?: string } {
  return { session_id: origin.sessionId, ...promptIdOf(origin) };
}
