import { AgentError } from '@qwen/protocol';
import type { SessionService } from '../core/session-service.js';
import type { LoggedEvent } from '../log/logged-event.js';

export interface EventPageQuery {
  readonly sessionId: string;
  readonly threadId?: string | undefined;
  readonly limit: number;
  /** Exclusive. */
  readonly afterSeq?: number | undefined;
  /** Exclusive: the page ends before it. Not together with `afterSeq`. */
  readonly beforeSeq?: number | undefined;
}

export interface FoundEvents {
  /** Oldest first. */
  readonly events: readonly LoggedEvent[];
  /** Whether more events follow, or with `beforeSeq` precede. */
  readonly hasMore: boolean;
  /** Evicted events before the page. */
  readonly evicted?: { readonly fromSeq: number; readonly toSeq: number } | undefined;
}

type Log = Pick<SessionService['log'], 'read'>;

/** Events per read; only few of them may belong to the thread. */
const STEP = 1000;
/** The same for reading backwards. */
const STEP_BACK = 64;
/** Also limits a page, because a tool result may have megabytes. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** Errors: `invalid_cursor` for a position that the session has not reached. */
export function findEvents(log: Log, query: EventPageQuery): Promise<FoundEvents> {
  return query.beforeSeq === undefined ? findAfter(log, query) : findBefore(log, query);
}

async function findAfter(log: Log, { sessionId, threadId, limit, afterSeq = 0 }: EventPageQuery): Promise<FoundEvents> {
  const found = new PageBuilder(limit);
  const step = threadId === undefined ? Math.min(limit + 1, STEP) : STEP;
  let evicted: FoundEvents['evicted'];
  for (let cursor = afterSeq; ; ) {
    const { events, firstSeq, lastSeq } = await log.read(sessionId, { afterSeq: cursor, limit: step });
    checkReached(afterSeq, lastSeq);
    if (firstSeq > cursor + 1) {
      // A page has no gap: the next page reports what was evicted meanwhile.
      if (found.events.length > 0) return { events: found.events, hasMore: true, evicted };
      evicted = { fromSeq: afterSeq + 1, toSeq: firstSeq - 1 };
    }
    for (const event of events) {
      if (threadId !== undefined && event.threadId !== threadId) continue;
      if (found.isFull) return { events: found.events, hasMore: true, evicted };
      found.add(event);
    }
    cursor = events.at(-1)?.seq ?? lastSeq;
    if (cursor >= lastSeq) return { events: found.events, hasMore: false, evicted };
  }
}

async function findBefore(log: Log, query: EventPageQuery): Promise<FoundEvents> {
  const { sessionId, threadId, limit, beforeSeq = 1 } = query;
  const found = new PageBuilder(limit);
  const { firstSeq, lastSeq } = await log.read(sessionId, { limit: 1 });
  checkReached(beforeSeq - 1, lastSeq);
  for (let end = beforeSeq; end > firstSeq; ) {
    const start = Math.max(firstSeq - 1, end - 1 - STEP_BACK);
    const step = await readRange(log, { sessionId, afterSeq: start, beforeSeq: end });
    for (const event of step.toReversed()) {
      if (threadId !== undefined && event.threadId !== threadId) continue;
      if (found.isFull) return { events: found.events.toReversed(), hasMore: true };
      found.add(event);
    }
    end = start + 1;
  }
  const evicted = firstSeq > 1 && beforeSeq > 1 ? { fromSeq: 1, toSeq: firstSeq - 1 } : undefined;
  return { events: found.events.toReversed(), hasMore: false, evicted };
}

/** All events between two positions, which may take several reads. */
async function readRange(
  log: Log,
  {
    sessionId,
    afterSeq,
    beforeSeq,
  }: { readonly sessionId: string; readonly afterSeq: number; readonly beforeSeq: number },
): Promise<readonly LoggedEvent[]> {
  const range: LoggedEvent[] = [];
  for (let cursor = afterSeq; cursor < beforeSeq - 1; ) {
    const { events } = await log.read(sessionId, { afterSeq: cursor, beforeSeq });
    const last = events.at(-1);
    // Evicted meanwhile.
    if (last === undefined) break;
    range.push(...events);
    cursor = last.seq;
  }
  return range;
}

function checkReached(seq: number, lastSeq: number): void {
  if (seq > lastSeq) throw new AgentError('invalid_cursor', 'The session has not reached this event.');
}

class PageBuilder {
  readonly events: LoggedEvent[] = [];
  readonly #limit: number;
  #characters = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isFull(): boolean {
    return this.events.length >= this.#limit || this.#characters >= MAX_CHARACTERS;
  }

  add(event: LoggedEvent): void {
    this.events.push(event);
    this.#characters += event.data.length;
  }
}
