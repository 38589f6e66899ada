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
 * 204 for a finished session stops EventSource from reconnecting. The header `Last-Event-ID` names the event before
 * the stream, so that a client can detect a gap.
 */
export function eventStreamResponse(subscription: LogSubscription, options: SharedStreamOptions): Response {
  if (subscription.isExhausted) {
    subscription.close();
    return new Response(null, { status: 204 });
  }
  const headers = { ...STREAM_HEADERS, 'last-event-id': options.framer.toId(subscription.beginsAfterSeq) };
  return new Response(createEventStream(subscription, options), { headers });
}
