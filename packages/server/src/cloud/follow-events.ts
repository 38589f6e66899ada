import type { SessionService } from '../core/session-service.js';
import type { EventStreamOptions } from '../sse/event-stream.js';
import { eventStreamResponse } from '../sse/event-stream-response.js';
import { parseLastEventId, toEventId } from '../sse/last-event-id.js';
import type { SessionFramers } from '../sse/session-framers.js';
import { formatRetry } from '../sse/sse-frame.js';
import type { CloudCall } from './cloud-call.js';

/** How streams behave; missing members as {@link EventStreamOptions} says. */
export type StreamPace = Pick<EventStreamOptions, 'heartbeatMs' | 'maxAgeMs' | 'retryMs' | 'abandonAfterMs'>;

export interface FollowOptions {
  readonly log: SessionService['log'];
  readonly framers: SessionFramers;
  readonly pace: StreamPace;
}

/** What one client wants to follow. */
export interface Followed extends Pick<CloudCall<never>, 'sessionId' | 'lastEventId' | 'abandon'> {
  /** Only the events of this thread. */
  readonly threadId?: string | undefined;
}

const RETRY_MS = 1000;

/**
 * The events of a session as they come: those after the last one that the client has, or only new ones for a client that
 * has none (GAP-95). Errors: `invalid_cursor`, `session_not_found`.
 */
export async function followEvents(
  { sessionId, threadId, lastEventId, abandon }: Followed,
  { log, framers, pace }: FollowOptions,
): Promise<Response> {
  const afterSeq = parseLastEventId(lastEventId) ?? 'newest';
  const subscription = await log.attach(sessionId, { afterSeq, threadId });
  const options = { ...pace, framer: framers.of(sessionId), abandon };
  if (afterSeq !== 'newest') return eventStreamResponse(subscription, options);
  const { retryMs = RETRY_MS } = pace;
  // A frame without data is no event, but its id is kept: a client that loses its connection before the first event
  // comes back with a place, and misses nothing.
  const id = toEventId(subscription.beginsAfterSeq);
  const opening = `id: ${id}\n${formatRetry(retryMs * (1 + 2 * Math.random()))}`;
  return eventStreamResponse(subscription, { ...options, opening });
}
