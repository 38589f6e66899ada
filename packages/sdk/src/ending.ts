import { AgentError } from '@qwen/protocol';
import { AbortError } from './errors.js';
import type { TraceEnding } from './telemetry/query-trace.js';

/** Why a conversation is over; the first reason counts. */
export type Ending =
  /** All was answered and the CLI has left. */
  | { readonly kind: 'finished' }
  /** The app wants no more. */
  | { readonly kind: 'closed' }
  | { readonly kind: 'aborted'; readonly error: AbortError }
  | { readonly kind: 'failed'; readonly error: unknown };

/** How a session is over that ended for this reason. */
export function endingOf(reason: AgentError): Ending {
  if (reason instanceof AbortError) return { kind: 'aborted', error: reason };
  return reason.code === 'channel_closed' ? { kind: 'closed' } : { kind: 'failed', error: reason };
}

/** The same for the trace of the query. */
export function toTraceEnding(ending: Ending, sessionId?: string, lastResult?: string): TraceEnding {
  const error = ending.kind === 'failed' ? AgentError.from(ending.error) : undefined;
  return { outcome: ending.kind, error, sessionId, lastResult };
}

/** What everything that still waits is rejected with. */
export function reasonOf(ending: Ending): unknown {
  if (ending.kind === 'aborted' || ending.kind === 'failed') return ending.error;
  return new AgentError('channel_closed', 'The query has closed.');
}
