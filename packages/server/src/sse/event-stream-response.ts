import type { LogSubscription } from '../log/log-subscription.js';
import type { EventFramer } from './event-framer.js';
import { createEventStream, type EventStreamOptions } from './event-stream.js';

/** Keeps proxies from buffering or changing events. */
export const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

export type SharedStreamOptions = EventStreamOptions & { readonly framer: EventFramer };

/**
 * 204 if the client has all events of a finished session, which stops EventSource from reconnecting. The response
 * header `Last-Event-ID` names the event after which the stream begins, so that a client can detect a gap at once.
 */
export function eventStreamResponse(subscription: LogSubscription, options: SharedStreamOptions): Response {
  if (subscription.isExhausted) {
    subscription.close();
    return new Response(null, { status: 204 });
  }
  const headers = { ...STREAM_HEADERS, 'last-event-id': options.framer.toId(subscription.beginsAfterSeq) };
  return new Response(createEventStream(subscription, options), { headers });
}
