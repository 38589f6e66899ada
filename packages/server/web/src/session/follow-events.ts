import { AgentError } from '@qwen/protocol';
import { eventEnvelopeSchema, type PublicEvent, publicEventSchema } from '@qwen/protocol/server';
import * as z from 'zod/mini';
import type { ServerClient } from '../server/server-client.js';

/** What comes of following a session, in order. */
export interface EventHandlers {
  /** The next events; each comes once. */
  readonly onEvents: (events: readonly PublicEvent[]) => void;
  /** Events were dropped by the server before the page had them. */
  readonly onGap: () => void;
  /** The past is given; what follows is live. Again after each reconnection. */
  readonly onLive: () => void;
}

const resyncSchema = z.object({ to_seq: z.int() });

/** The events of one session from a cursor on. The cursor outlives connections, so that none is lost or doubled. */
export class EventFollower {
  readonly #client: ServerClient;
  readonly #sessionId: string;
  readonly #handlers: EventHandlers;
  #cursor = 0;

  constructor(client: ServerClient, sessionId: string, handlers: EventHandlers) {
    this.#client = client;
    this.#sessionId = sessionId;
    this.#handlers = handlers;
  }

  /** Reads everything that there is now, in pages. */
  async readHistory(signal: AbortSignal): Promise<void> {
    for (let isBehind = true; isBehind; ) {
      const query = { sessionId: this.#sessionId, afterSeq: this.#cursor };
      const page = await this.#client.post('/api/chat/events', query, signal);
      signal.throwIfAborted();
      if (page.firstSeq > this.#cursor + 1) this.#skipTo(page.firstSeq - 1);
      // A stream may have been quicker.
      this.#give(page.events.filter(({ seq }) => seq > this.#cursor));
      this.#cursor = Math.max(this.#cursor, page.throughSeq);
      isBehind = page.events.length > 0 && page.throughSeq < page.lastSeq;
    }
  }

  /**
   * Follows one connection to its end. Gives `false` when the server has said that nothing more will come: the session
   * is finished. Errors: those of the client; `session_not_found` when it is deleted meanwhile.
   */
  async followOnce(signal: AbortSignal): Promise<boolean> {
    const request = { sessionId: this.#sessionId, afterSeq: this.#cursor };
    for await (const { type, data } of this.#client.stream('/api/chat/follow', request, { signal })) {
      const value: unknown = JSON.parse(data);
      if (type === 'resync') this.#skipTo(resyncSchema.parse(value).to_seq);
      else if (type === 'replay_complete') this.#handlers.onLive();
      else if (type === 'stream_end') return false;
      else if (type === 'session_deleted') throw new AgentError('session_not_found', 'The session was deleted.');
      // What has no place in the session is a remark about the stream.
      else if (eventEnvelopeSchema.safeParse(value).success) this.#take(publicEventSchema.parse(value));
    }
    return true;
  }

  #take(event: PublicEvent): void {
    if (event.seq <= this.#cursor) return;
    if (event.seq > this.#cursor + 1) {
      throw new AgentError('invalid_cursor', `Event ${event.seq} came where ${this.#cursor + 1} was expected.`);
    }
    this.#cursor = event.seq;
    this.#give([event]);
  }

  #skipTo(seq: number): void {
    if (seq <= this.#cursor) return;
    this.#cursor = seq;
    this.#handlers.onGap();
  }

  #give(events: readonly PublicEvent[]): void {
    if (events.length > 0) this.#handlers.onEvents(events);
  }
}
