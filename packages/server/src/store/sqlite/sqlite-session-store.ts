import { chmod, rm, writeFile } from 'node:fs/promises';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { AgentError, messageOf } from '@qwen/protocol';
import { makePrivate } from '../../log/sqlite/private-file.js';
import { storageCodeOf } from '../../log/sqlite/result-codes.js';
import type {
  HistoryItem,
  OutboxEntry,
  SessionChange,
  SessionRecord,
  ThreadRecord,
  TurnEnding,
  TurnRecord,
  UsageRecord,
} from '../session-record.js';
import type { NewTurn, SessionPage, SessionPageQuery, SessionStore } from '../session-store.js';
import { exists, notFound, refuseTurn } from '../store-errors.js';
import {
  numberRow,
  sessionIdRow,
  toHistoryItem,
  toOutboxEntry,
  toSession,
  toThread,
  toTurn,
  totalRow,
  usageRow,
} from './rows.js';
import { LAYOUT, LAYOUT_VERSION, MIGRATIONS, SQL } from './schema.js';

const PROBE_BYTES = 64 * 1024;

/**
 * Runs in the main thread, because writes are small and rare. Only new sessions and messages wait for fsync and
 * survive a power loss.
 */
export class SqliteSessionStore implements SessionStore {
  readonly #database: DatabaseSync;
  readonly #path: string;
  readonly #statements = new Map<keyof typeof SQL, StatementSync>();

  private constructor(database: DatabaseSync, path: string) {
    this.#database = database;
    this.#path = path;
  }

  /** Errors: `storage_busy`, `storage_unwritable`, `storage_damaged`. */
  static async open(path: string): Promise<SqliteSessionStore> {
    await makePrivate(path);
    let database: DatabaseSync | undefined;
    try {
      database = new DatabaseSync(path, { enableForeignKeyConstraints: true });
      database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
      prepareLayout(database);
      return new SqliteSessionStore(database, path);
    } catch (error) {
      database?.close();
      const failure = toStoreError(error);
      if (failure.code !== 'storage_busy') throw failure;
      const message = `Another program uses ${path}. Stop the other qwen serve, or set another folder with --store.`;
      throw new AgentError('storage_busy', message, { cause: error });
    }
  }

  create(session: SessionRecord, primaryThread: ThreadRecord): Promise<void> {
    return this.#durably(() => {
      const { changes } = this.#run('addSession').run(session.id, JSON.stringify(session));
      if (Number(changes) === 0) throw exists(session.id);
      this.#addThread(primaryThread);
    });
  }

  get(sessionId: string): Promise<SessionRecord> {
    return this.#step(() => this.#session(sessionId));
  }

  update(sessionId: string, change: SessionChange): Promise<SessionRecord> {
    return this.#step(() => {
      const session = { ...this.#session(sessionId), ...change };
      this.#run('updateSession').run(JSON.stringify(session), sessionId);
      return session;
    });
  }

  delete(sessionId: string): Promise<void> {
    return this.#step(() => {
      const { changes } = this.#run('deleteSession').run(sessionId);
      if (Number(changes) === 0) throw notFound(sessionId);
    });
  }

  list({ limit, afterId }: SessionPageQuery): Promise<SessionPage> {
    return this.#step(() => {
      const before = afterId === undefined ? Number.MAX_SAFE_INTEGER : this.#numberOf(afterId);
      const rows = this.#run('listSessions').all(before, limit + 1);
      return { sessions: rows.slice(0, limit).map(toSession), hasMore: rows.length > limit };
    });
  }

  /** Small writes may still fit into the log of SQLite. */
  async probe(): Promise<void> {
    if (!this.#database.isOpen) throw new AgentError('channel_closed', 'The session store is closed.');
    const path = `${this.#path}.probe`;
    try {
      await writeFile(path, Buffer.alloc(PROBE_BYTES), { mode: 0o600, flush: true });
    } catch (thrown) {
      const isFull = thrown instanceof Error && 'code' in thrown && /^(?:ENOSPC|EDQUOT)$/.test(String(thrown.code));
      throw new AgentError(isFull ? 'storage_full' : 'storage_unwritable', `Cannot write ${path}.`, { cause: thrown });
    } finally {
      await rm(path, { force: true }).catch(() => undefined);
    }
  }

  count(): Promise<number> {
    return this.#step(() => this.#total('countSessions'));
  }

  addTurn({ turn, historyText, maxOpenTurns, refusal }: NewTurn): Promise<TurnRecord> {
    return this.#durably(() => {
      this.#numberOf(turn.sessionId);
      const { clientKey = null } = turn;
      const known = clientKey === null ? undefined : this.#run('turnOfKey').get(turn.sessionId, clientKey);
      if (known !== undefined) return toTurn(known);
      const openTurns = this.#total('countOpenTurns', turn.sessionId);
      if (openTurns > maxOpenTurns) throw refuseTurn(refusal, openTurns);
      const content = JSON.stringify(turn.content);
      const prompt = turn.prompt === undefined ? null : JSON.stringify(turn.prompt);
      const { id, sessionId, requestId, state, createdAt, sender = null } = turn;
      this.#run('addTurn').run(id, sessionId, requestId, clientKey, state, content, prompt, createdAt, sender);
      this.#run('addHistory').run(sessionId, sessionId, 'user', historyText, createdAt);
      return turn;
    });
  }

  getTurn(turnId: string): Promise<TurnRecord | undefined> {
    return this.#step(() => this.#turn('turnOfId', turnId));
  }

  findTurn(requestId: string): Promise<TurnRecord | undefined> {
    return this.#step(() => this.#turn('turnOfRequest', requestId));
  }

  startTurn(turnId: string): Promise<boolean> {
    return this.#step(() => Number(this.#run('startTurn').run(turnId).changes) === 1);
  }

  endTurn(turnId: string, { state, from, reply = '', endedAt, events }: TurnEnding): Promise<boolean> {
    return this.#step(() => {
      const row = this.#run('endTurn').get(state, JSON.stringify(events), turnId, from ?? 'running');
      if (row === undefined) return false;
      const { sessionId } = sessionIdRow.parse(row);
      if (reply !== '') this.#run('addHistory').run(sessionId, sessionId, 'assistant', reply, endedAt);
      return true;
    });
  }

  clearOutbox(turnId: string): Promise<void> {
    return this.#step(() => {
      this.#run('clearOutbox').run(turnId);
    });
  }

  outbox(): Promise<readonly OutboxEntry[]> {
    return this.#step(() => this.#run('outbox').all().map(toOutboxEntry));
  }

  openTurns(sessionId?: string): Promise<readonly TurnRecord[]> {
    return this.#step(() => {
      if (sessionId === undefined) return this.#run('openTurns').all().map(toTurn);
      this.#numberOf(sessionId);
      return this.#run('openTurnsOf').all(sessionId).map(toTurn);
    });
  }

  history(
    sessionId: string,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly items: readonly HistoryItem[]; readonly total: number }> {
    return this.#step(() => {
      this.#numberOf(sessionId);
      const items = this.#run('history').all(sessionId, offset, limit).map(toHistoryItem);
      return { items, total: this.#total('countHistory', sessionId) };
    });
  }

  addThread(thread: ThreadRecord): Promise<void> {
    return this.#step(() => {
      this.#numberOf(thread.sessionId);
      this.#addThread(thread);
    });
  }

  threads(sessionId: string): Promise<readonly ThreadRecord[]> {
    return this.#step(() => {
      this.#numberOf(sessionId);
      return this.#run('threads').all(sessionId).map(toThread);
    });
  }

  addUsage(name: string, day: string, { tokens, usd }: UsageRecord): Promise<void> {
    return this.#step(() => {
      this.#run('addUsage').run(day, name, tokens, usd);
    });
  }

  usageOf(name: string, day: string): Promise<UsageRecord> {
    return this.#step(() => {
      const row = this.#run('usageOf').get(day, name);
      return row === undefined ? { tokens: 0, usd: 0 } : usageRow.parse(row);
    });
  }

  async backup(path: string): Promise<void> {
    try {
      this.#run('backup').run(path);
      await chmod(path, 0o600);
    } catch (thrown) {
      throw toStoreError(thrown);
    }
  }

  async close(): Promise<void> {
    if (this.#database.isOpen) this.#database.close();
  }

  #addThread(thread: ThreadRecord): void {
    this.#run('addThread').run(thread.id, thread.sessionId, JSON.stringify(thread));
  }

  #session(sessionId: string): SessionRecord {
    const row = this.#run('findSession').get(sessionId);
    if (row === undefined) throw notFound(sessionId);
    return toSession(row);
  }

  #numberOf(sessionId: string): number {
    const row = this.#run('findSession').get(sessionId);
    if (row === undefined) throw notFound(sessionId);
    return numberRow.parse(row).number;
  }

  #turn(statement: 'turnOfId' | 'turnOfRequest', id: string): TurnRecord | undefined {
    const row = this.#run(statement).get(id);
    return row === undefined ? undefined : toTurn(row);
  }

  #total(statement: `count${string}` & keyof typeof SQL, ...values: SQLInputValue[]): number {
    return totalRow.parse(this.#run(statement).get(...values)).total;
  }

  #run(name: keyof typeof SQL): StatementSync {
    const known = this.#statements.get(name);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(SQL[name]);
    this.#statements.set(name, statement);
    return statement;
  }

  async #step<Result>(work: () => Result): Promise<Result> {
    if (!this.#database.isOpen) throw new AgentError('channel_closed', 'The session store is closed.');
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      const result = work();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      // SQLite rolls back by itself on a full disk.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw toStoreError(error);
    }
  }

  /** With fsync, also of earlier transactions. */
  async #durably<Result>(work: () => Result): Promise<Result> {
    if (this.#database.isOpen) this.#database.exec('PRAGMA synchronous = FULL');
    try {
      return await this.#step(work);
    } finally {
      if (this.#database.isOpen) this.#database.exec('PRAGMA synchronous = NORMAL');
    }
  }
}

function prepareLayout(database: DatabaseSync): void {
  database.exec('BEGIN IMMEDIATE');
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version > LAYOUT_VERSION) {
    throw new AgentError(
      'storage_damaged',
      `The session store has schema ${version}; this version supports ${LAYOUT_VERSION}.`,
    );
  }
  if (version === 0) database.exec(LAYOUT);
  for (let from = version; from > 0 && from < LAYOUT_VERSION; from += 1) database.exec(MIGRATIONS[from] ?? '');
  if (version < LAYOUT_VERSION) database.exec(`PRAGMA user_version = ${LAYOUT_VERSION};`);
  database.exec('COMMIT');
}

function toStoreError(thrown: unknown): AgentError {
  if (AgentError.is(thrown)) return thrown;
  const message = messageOf(thrown);
  return new AgentError(storageCodeOf(thrown) ?? 'storage_damaged', `Session store: ${message}`, {
    cause: thrown,
  });
}
