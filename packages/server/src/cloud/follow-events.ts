import type { SessionService } from '../core/session-service.js';
import type { EventStreamOptions } from '../sse/event-stream.js';
import { eventStreamResponse } from '../sse/event-stream-response.js';
import { parseLastEventId, toEventId } from '../sse/last-event-id.js';
import type { SessionFramers } from '../sse/session-framers.js';
import { formatRetry } from '../sse/sse-frame.js';
import type { CloudCall } from './cloud-call.js';

export type StreamPace = Pick<EventStreamOptions, 'heartbeatMs' | 'maxAgeMs' | 'retryMs' | 'abandonAfterMs'>;

export interface FollowOptions {
  readonly log: SessionService['log'];
  readonly framers: SessionFramers;
  readonly pace: StreamPace;
}

export interface Followed extends Pick<CloudCall<never>, 'sessionId' | 'lastEventId' | 'abandon'> {
  readonly threadId?: string | undefined;
}

const RETRY_MS = 1000;

/**
 * Streams the events after `Last-Event-ID`, or only new ones without it. Errors: `invalid_cursor`,
 * `session_not_found`.
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
  // Clients keep the id of a frame without data, so one that loses its connection before the first event misses
  // nothing.
  const id = toEventId(subscription.beginsAfterSeq);
  const opening = `id: ${id}\n${formatRetry(retryMs * (1 + 2 * Math.random()))}`;
  return eventStreamResponse(subscription, { ...options, opening });
}
