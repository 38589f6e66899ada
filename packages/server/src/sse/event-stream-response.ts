import type { LogSubscription } from '../log/log-subscription.js';
import type { EventFramer } from './event-framer.js';
import { createEventStream, type EventStreamOptions } from './event-stream.js';

/** What keeps proxies from holding events back or changing them (F137). */
export const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** The framer is the one of all streams of an API. */
export type SharedStreamOptions = EventStreamOptions & { readonly framer: EventFramer };

/**
 * The answer to a request for events. 204 when the client has everything there will ever be, which keeps an EventSource
 * from coming back (T17). The header `Last-Event-ID` names the event behind which the stream really begins, so that a
 * client can see that something is gone before the first event says so (F120).
 */
export function eventStreamResponse(subscription: LogSubscription, options: SharedStreamOptions): Response {
  if (subscription.isExhausted) {
    subscription.close();
    return new Response(null, { status: 204 });
  }
  const headers = { ...STREAM_HEADERS, 'last-event-id': options.framer.toId(subscription.beginsAfterSeq) };
  return new Response(createEventStream(subscription, options), { headers });
}
