import { AgentError } from '@qwen/protocol';
import { AbortError } from '../errors.js';
import type { TraceEnding } from '../telemetry/query-trace.js';

/** Why a query or session ended; the first reason counts. */
export type Ending =
  | { readonly kind: 'finished' }
  /** `isLeft`: by leaving the loop over the messages. */
  | { readonly kind: 'closed'; readonly isLeft?: boolean }
  | { readonly kind: 'aborted'; readonly error: AbortError }
  | { readonly kind: 'failed'; readonly error: unknown };

export function endingOf(reason: AgentError): Ending {
  if (reason instanceof AbortError) return { kind: 'aborted', error: reason };
  return reason.code === 'channel_closed' ? { kind: 'closed' } : { kind: 'failed', error: reason };
}

export function toTraceEnding(ending: Ending, sessionId?: string, lastResult?: string): TraceEnding {
  const error = ending.kind === 'failed' ? AgentError.from(ending.error) : undefined;
  return { outcome: ending.kind, error, sessionId, lastResult };
}

export function reasonOf(ending: Ending): unknown {
  if (ending.kind === 'aborted' || ending.kind === 'failed') return ending.error;
  if (ending.kind === 'closed' && ending.isLeft !== true) return queryIsClosed();
  return new AgentError('channel_closed', 'Input stream closed: the query has ended.');
}

/** After `close()`. */
export function queryIsClosed(): AgentError {
  return new AgentError('channel_closed', 'Query is closed');
}
