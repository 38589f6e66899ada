// Node.js also starts this thread from source, where imports need the real file names.
import { chmodSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { EventPage, EventRange, Retention, SessionAppend, SessionIdPage } from '../event-store.ts';
import { type AppendReceipt, eventBytes, type LoggedEvent } from '../logged-event.ts';
import { LAYOUT, LAYOUT_VERSION, SQL } from './schema.ts';
import type { ThreadError, ThreadOutcome, ThreadVerbs } from './thread-messages.ts';

// The tables are STRICT.
interface SessionRow {
  readonly number: number;
  readonly last_seq: number;
  readonly first_seq: number;
  readonly bytes: number;
  readonly is_finished: number;
}

interface EventRow {
  readonly seq: number;
  readonly type: string;
  readonly data: string;
  readonly event_id: string | null;
  readonly thread_id: string | null;
  readonly at_ms: number;
  readonly bytes: number;
}

type SizeRow = Pick<EventRow, 'seq' | 'bytes' | 'at_ms'>;

export class ThreadFailure extends Error {
  readonly code: ThreadError['code'];

  constructor(code: ThreadError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Synchronous; every change is on the disk when the method returns. */
export class EventDatabase implements ThreadVerbs {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<keyof typeof SQL, StatementSync>();

  constructor(path: string) {
    this.#database = new DatabaseSync(path);
    // An exclusive lock, which a crash releases.
    this.#database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    this.#database.exec('BEGIN IMMEDIATE; COMMIT;');
    const { user_version: version } = this.#database.prepare('PRAGMA user_version').get() as { user_version: number };
    if (version > LAYOUT_VERSION) {
      throw new ThreadFailure(
        'storage_damaged',
        `The event log has schema ${version}; this version supports ${LAYOUT_VERSION}.`,
      );
    }
    if (version === 0)
      this.#inTransaction(() => this.#database.exec(`${LAYOUT} PRAGMA user_version = ${LAYOUT_VERSION};`));
  }

  create({ sessionId }: { readonly sessionId: string }): void {
    const { changes } = this.#run('addSession').run(sessionId);
    if (Number(changes) === 0) throw new ThreadFailure('session_exists', `Session ${sessionId} already exists.`);
  }

  append({ batch }: { readonly batch: readonly SessionAppend[] }): readonly ThreadOutcome[] {
    return this.#inTransaction(() => batch.map((entry) => this.#add(entry)));
  }

  read({ sessionId, afterSeq, beforeSeq, limit, maxBytes }: EventRange): EventPage {
    const session = this.#session(sessionId);
    const events: LoggedEvent[] = [];
    let bytes = 0;
    const rows = this.#run('readEvents').iterate(session.number, afterSeq, beforeSeq ?? session.last_seq + 1, limit);
    for (const row of rows as Iterable<EventRow>) {
      bytes += row.bytes;
      if (events.length > 0 && bytes > maxBytes) break;
      events.push(toEvent(row));
    }
    const { first_seq: firstSeq, last_seq: lastSeq } = session;
    return { events, firstSeq, lastSeq, isFinished: session.is_finished === 1 };
  }

  seqOf({ sessionId, eventId }: { readonly sessionId: string; readonly eventId: string }): number | undefined {
    return this.#seqOf(this.#session(sessionId).number, eventId);
  }

  evict({ sessionId, retention }: { readonly sessionId: string; readonly retention: Retention }): number {
    const { maxEvents = Infinity, maxBytes = Infinity, maxAgeMs = Infinity } = retention;
    return this.#inTransaction(() => {
      const { number, last_seq: lastSeq, ...session } = this.#session(sessionId);
      let { first_seq: firstSeq, bytes } = session;
      const oldestMs = Date.now() - maxAgeMs;
      for (const row of this.#run('sizes').iterate(number) as Iterable<SizeRow>) {
        if (row.at_ms >= oldestMs && lastSeq + 1 - firstSeq <= maxEvents && bytes <= maxBytes) break;
        firstSeq = row.seq + 1;
        bytes -= row.bytes;
      }
      if (firstSeq > session.first_seq) {
        this.#run('dropEvents').run(number, firstSeq);
        this.#run('moveSession').run(lastSeq, firstSeq, bytes, number);
      }
      return firstSeq;
    });
  }

  finish({ sessionId }: { readonly sessionId: string }): void {
    this.#run('finishSession').run(this.#session(sessionId).number);
  }

  delete({ sessionId }: { readonly sessionId: string }): void {
    this.#inTransaction(() => {
      const { number, last_seq: lastSeq } = this.#session(sessionId);
      this.#run('dropEvents').run(number, lastSeq + 1);
      this.#run('dropSession').run(number);
    });
  }

  list({ afterId, limit }: { readonly afterId: string; readonly limit: number }): SessionIdPage {
    const rows = this.#run('listSessions').all(afterId, limit + 1) as { readonly id: string }[];
    return { sessionIds: rows.slice(0, limit).map(({ id }) => id), hasMore: rows.length > limit };
  }

  backup({ path }: { readonly path: string }): void {
    this.#database.prepare('VACUUM INTO ?').run(path);
    chmodSync(path, 0o600);
  }

  close(): void {
    this.#database.close();
  }

  #add({ sessionId, events }: SessionAppend): ThreadOutcome {
    const session = this.#findSession(sessionId);
    if (session === undefined) return refusal('session_not_found', `No session has the id ${sessionId}.`);
    if (session.is_finished === 1) return refusal('session_finished', `Session ${sessionId} is finished.`);
    const atMs = Date.now();
    let { last_seq: lastSeq, bytes } = session;
    const receipts = events.map((event): AppendReceipt => {
      const known = event.eventId === undefined ? undefined : this.#seqOf(session.number, event.eventId);
      if (known !== undefined) return { seq: known, isRepeat: true };
      lastSeq += 1;
      const size = eventBytes(event);
      bytes += size;
      const { type, data, eventId = null, threadId = null } = event;
      this.#run('addEvent').run(session.number, lastSeq, type, data, eventId, threadId, atMs, size);
      return { seq: lastSeq, isRepeat: false };
    });
    this.#run('moveSession').run(lastSeq, session.first_seq, bytes, session.number);
    return { receipts, atMs };
  }

  #seqOf(session: number, eventId: string): number | undefined {
    const row = this.#run('findEvent').get(session, eventId) as { readonly seq: number } | undefined;
    return row?.seq;
  }

  #findSession(sessionId: string): SessionRow | undefined {
    return this.#run('findSession').get(sessionId) as SessionRow | undefined;
  }

  #session(sessionId: string): SessionRow {
    const session = this.#findSession(sessionId);
    if (session === undefined) throw new ThreadFailure('session_not_found', `No session has the id ${sessionId}.`);
    return session;
  }

  #run(name: keyof typeof SQL): StatementSync {
    const known = this.#statements.get(name);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(SQL[name]);
    this.#statements.set(name, statement);
    return statement;
  }

  #inTransaction<Result>(work: () => Result): Result {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      // SQLite rolls back by itself on a full disk.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}

function refusal(code: ThreadError['code'], message: string): ThreadOutcome {
  return { error: { code, message } };
}

function toEvent({ seq, type, data, event_id: eventId, thread_id: threadId, at_ms: atMs }: EventRow): LoggedEvent {
  return {
    seq,
    type,
    data,
    atMs,
    ...(eventId !== null && { eventId }),
    ...(threadId !== null && { threadId }),
  };
}
