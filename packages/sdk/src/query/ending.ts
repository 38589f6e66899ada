import { AgentError } from '@qwen/protocol';
import { AbortError } from '../errors.js';
import type { TraceEnding } from '../telemetry/query-trace.js';

/** Why a query or session ended; the first reason counts. */
export type Ending =
  | { readonly kind: 'finished' }
  | { readonly kind: 'closed' }
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

/** What pending calls reject with. */
export function reasonOf(ending: Ending): unknown {
  if (ending.kind === 'aborted' || ending.kind === 'failed') return ending.error;
  return new AgentError('channel_closed', 'The query has closed.');
}
