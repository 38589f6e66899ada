import { AgentError } from '@qwen/protocol';
import { eventEnvelopeSchema, type PublicEvent, publicEventSchema } from '@qwen/protocol/server';
import * as z from 'zod/mini';
import type { ServerClient } from '../server/server-client.js';

export interface EventHandlers {
  /** Each event comes once. */
  readonly onEvents: (events: readonly PublicEvent[]) => void;
  readonly onGap: () => void;
  /** The history is complete. Called again after each reconnection. */
  readonly onLive: () => void;
}

const resyncSchema = z.object({ to_seq: z.int() });

/** Follows a session. The cursor outlives connections, so that no event is lost or repeated. */
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

  async readHistory(signal: AbortSignal): Promise<void> {
    for (let isBehind = true; isBehind; ) {
      const query = { sessionId: this.#sessionId, afterSeq: this.#cursor };
      const page = await this.#client.post('/api/chat/events', query, { signal });
      signal.throwIfAborted();
      if (page.firstSeq > this.#cursor + 1) this.#skipTo(page.firstSeq - 1);
      // A stream may have delivered some of them.
      this.#deliver(page.events.filter(({ seq }) => seq > this.#cursor));
      this.#cursor = Math.max(this.#cursor, page.throughSeq);
      isBehind = page.events.length > 0 && page.throughSeq < page.lastSeq;
    }
  }

  /**
   * Follows one connection to its end. Returns false if the session is finished. Errors: those of the client;
   * `session_not_found` if it is deleted.
   */
  async followOnce(signal: AbortSignal): Promise<boolean> {
    const request = { sessionId: this.#sessionId, afterSeq: this.#cursor };
    for await (const { type, data } of this.#client.stream('/api/chat/follow', request, { signal })) {
      const value: unknown = JSON.parse(data);
      if (type === 'resync') this.#skipTo(resyncSchema.parse(value).to_seq);
      else if (type === 'replay_complete') this.#handlers.onLive();
      else if (type === 'stream_end') return false;
      else if (type === 'session_deleted') throw new AgentError('session_not_found', 'The session was deleted.');
      // Other items are notices of the stream.
      else if (eventEnvelopeSchema.safeParse(value).success) this.#take(publicEventSchema.parse(value));
    }
    return true;
  }

  #take(event: PublicEvent): void {
    if (event.seq <= this.#cursor) return;
    if (event.seq > this.#cursor + 1) {
      throw new AgentError('invalid_cursor', `Expected event ${this.#cursor + 1}, received ${event.seq}.`);
    }
    this.#cursor = event.seq;
    this.#deliver([event]);
  }

  #skipTo(seq: number): void {
    if (seq <= this.#cursor) return;
    this.#cursor = seq;
    this.#handlers.onGap();
  }

  #deliver(events: readonly PublicEvent[]): void {
    if (events.length > 0) this.#handlers.onEvents(events);
  }
}
