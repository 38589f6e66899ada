import type {
  CancelLine,
  CommandDescriptor,
  CommandLine,
  CommandResult,
  HeartbeatLine,
  SessionEvent,
  SessionEventName,
} from '@qwen/protocol/openai';
import { idsOf, type LineOrigin } from './line-parts.js';

// Lines with a `type` that answer or notify the host.

/** `command` is missing if none matched, such as an unknown one. */
export function commandLine(origin: LineOrigin, result: CommandResult, command?: CommandDescriptor): CommandLine {
  return { type: 'result/command', ...idsOf(origin), ...(command !== undefined && { command }), result };
}

export function heartbeatLine(origin: LineOrigin): HeartbeatLine {
  return { type: 'result/heartbeat', ...idsOf(origin), status: 'ok', ts: origin.clock.seconds() };
}

export type CancelOutcome =
  | { readonly status: 'ok'; readonly reason?: string }
  /** `message` states why nothing was cancelled. */
  | { readonly status: 'noop'; readonly message: string; readonly reason?: string };

export function cancelLine(origin: LineOrigin, outcome: CancelOutcome): CancelLine {
  const { status, reason } = outcome;
  const message = outcome.status === 'ok' ? 'Request cancelled.' : outcome.message;
  return { type: 'result/cancel', ...idsOf(origin), status, message, ...(reason !== undefined && { reason }) };
}

export interface SessionNews {
  readonly event: SessionEventName;
  readonly message: string;
  readonly metrics?: Readonly<Record<string, number>>;
}

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
