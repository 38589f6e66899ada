import { AgentError } from '@qwen/protocol';
import type {
  AppendOutcome,
  EventPage,
  EventRange,
  EventStore,
  Retention,
  SessionAppend,
  SessionIdPage,
  StoreListener,
} from './event-store.js';
import { LocalFeed } from './local-feed.js';
import { type AppendReceipt, eventBytes, type LoggedEvent, type NewEvent } from './logged-event.js';

interface MemorySession {
  events: LoggedEvent[];
  readonly seqByEventId: Map<string, number>;
  lastSeq: number;
  isFinished: boolean;
}

export class MemoryStore implements EventStore {
  readonly #sessions = new Map<string, MemorySession>();
  readonly #feed = new LocalFeed();

  async create(sessionId: string): Promise<void> {
    if (this.#sessions.has(sessionId)) throw new AgentError('session_exists', `Session ${sessionId} already exists.`);
    this.#sessions.set(sessionId, { events: [], seqByEventId: new Map(), lastSeq: 0, isFinished: false });
  }

  async append(batch: readonly SessionAppend[]): Promise<readonly AppendOutcome[]> {
    return batch.map(({ sessionId, events }) => this.#add(sessionId, events));
  }

  async read({ sessionId, afterSeq, beforeSeq = Infinity, limit, maxBytes }: EventRange): Promise<EventPage> {
    const { events, lastSeq, isFinished } = this.#session(sessionId);
    const firstSeq = events[0]?.seq ?? lastSeq + 1;
    const page: LoggedEvent[] = [];
    let bytes = 0;
    for (const event of events.slice(Math.max(0, afterSeq + 1 - firstSeq))) {
      bytes += eventBytes(event);
      if (event.seq >= beforeSeq || page.length >= limit || (bytes > maxBytes && page.length > 0)) break;
      page.push(event);
    }
    return { events: page, firstSeq, lastSeq, isFinished };
  }

  async seqOf(sessionId: string, eventId: string): Promise<number | undefined> {
    return this.#session(sessionId).seqByEventId.get(eventId);
  }

  async evict(sessionId: string, retention: Retention): Promise<number> {
    const { maxEvents = Infinity, maxBytes = Infinity, maxAgeMs = Infinity } = retention;
    const session = this.#session(sessionId);
    let bytes = session.events.reduce((sum, event) => sum + eventBytes(event), 0);
    let dropped = 0;
    for (const event of session.events) {
      const isOld = event.atMs < Date.now() - maxAgeMs;
      if (!isOld && session.events.length - dropped <= maxEvents && bytes <= maxBytes) break;
      bytes -= eventBytes(event);
      dropped += 1;
      if (event.eventId !== undefined) session.seqByEventId.delete(event.eventId);
    }
    session.events = session.events.slice(dropped);
    return session.events[0]?.seq ?? session.lastSeq + 1;
  }

  async finish(sessionId: string): Promise<void> {
    this.#session(sessionId).isFinished = true;
    this.#feed.emit(sessionId, (listener) => listener.ended('finished'));
  }

  async delete(sessionId: string): Promise<void> {
    this.#session(sessionId);
    this.#sessions.delete(sessionId);
    this.#feed.emit(sessionId, (listener) => listener.ended('deleted'));
  }

  async list({ afterId, limit }: { readonly afterId: string; readonly limit: number }): Promise<SessionIdPage> {
    const sessionIds = [...this.#sessions.keys()].filter((id) => id > afterId).toSorted();
    return { sessionIds: sessionIds.slice(0, limit), hasMore: sessionIds.length > limit };
  }

  watch(sessionId: string, listener: StoreListener): () => void {
    return this.#feed.watch(sessionId, listener);
  }

  async close(): Promise<void> {
    this.#sessions.clear();
  }

  #session(sessionId: string): MemorySession {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) throw new AgentError('session_not_found', `No session has the id ${sessionId}.`);
    return session;
  }

  #add(sessionId: string, events: readonly NewEvent[]): AppendOutcome {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) return new AgentError('session_not_found', `No session has the id ${sessionId}.`);
    if (session.isFinished) return new AgentError('session_finished', `Session ${sessionId} is finished.`);
    const added: LoggedEvent[] = [];
    const receipts = events.map((event): AppendReceipt => {
      const known = event.eventId === undefined ? undefined : session.seqByEventId.get(event.eventId);
      if (known !== undefined) return { seq: known, isRepeat: true };
      session.lastSeq += 1;
      if (event.eventId !== undefined) session.seqByEventId.set(event.eventId, session.lastSeq);
      added.push({ ...event, seq: session.lastSeq, atMs: Date.now() });
      return { seq: session.lastSeq, isRepeat: false };
    });
    session.events.push(...added);
    this.#feed.emit(sessionId, (listener) => listener.stored(added));
    return receipts;
  }
}
