import type { SessionService } from '../../core/session-service.js';
import { createEventStream, type EventStreamOptions } from '../../sse/event-stream.js';
import { STREAM_HEADERS } from '../../sse/event-stream-response.js';
import { ChatFramer, frameOf } from './chat-framer.js';
import type { ShownTurn } from './chat-projection.js';

export interface ChatStreamOptions extends Pick<EventStreamOptions, 'heartbeatMs' | 'abandonAfterMs'> {
  readonly log: SessionService['log'];
  readonly turn: ShownTurn;
  /** Everything of the turn stands behind it. */
  readonly startSeq: number;
  /** Drops the connection. */
  readonly abandon: () => void;
}

/**
 * The answer to a message: `connected`, then the events of its turn up to the one that ends it. The turn does not know
 * of it: a client that goes away stops nothing (F126).
 */
export async function chatStream({ log, turn, startSeq, ...options }: ChatStreamOptions): Promise<Response> {
  const { requestId, sessionId } = turn;
  const subscription = await log.attach(sessionId, { afterSeq: startSeq });
  const body = createEventStream(subscription, {
    ...options,
    // A turn takes as long as it takes, and its end ends the stream.
    maxAgeMs: Number.POSITIVE_INFINITY,
    opening: frameOf({ type: 'connected', requestId, sessionId, timestamp: Date.now() }),
    framer: new ChatFramer({ turn, onOver: () => subscription.close() }),
  });
  return new Response(body, { headers: STREAM_HEADERS });
}
