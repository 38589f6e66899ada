import type { SessionService } from '../../core/session-service.js';
import { createEventStream, type EventStreamOptions } from '../../sse/event-stream.js';
import { STREAM_HEADERS } from '../../sse/event-stream-response.js';
import { ChatFramer, frameOf } from './chat-framer.js';
import type { StreamedTurn } from './chat-projection.js';

export interface ChatStreamOptions extends Pick<EventStreamOptions, 'heartbeatMs' | 'abandonAfterMs'> {
  readonly log: SessionService['log'];
  readonly turn: StreamedTurn;
  /** The turn's events follow it. */
  readonly startSeq: number;
  readonly abandon: () => void;
}

/** A client that disconnects does not stop the turn. */
export async function chatStream({ log, turn, startSeq, ...options }: ChatStreamOptions): Promise<Response> {
  const { requestId, sessionId } = turn;
  const subscription = await log.attach(sessionId, { afterSeq: startSeq });
  const body = createEventStream(subscription, {
    ...options,
    // The end of the turn ends the stream.
    maxAgeMs: Number.POSITIVE_INFINITY,
    opening: frameOf({ type: 'connected', requestId, sessionId, timestamp: Date.now() }),
    framer: new ChatFramer({ turn, onOver: () => subscription.close() }),
  });
  return new Response(body, { headers: STREAM_HEADERS });
}
