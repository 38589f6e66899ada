import type { DatabaseSync } from 'node:sqlite';
import { parseEntry, type SessionKey, type SessionStore, type SessionStoreEntry } from './session-store.js';

const LAYOUT = `
  PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS session_entries (
    place INTEGER PRIMARY KEY,
    project TEXT NOT NULL,
    session TEXT NOT NULL,
    subpath TEXT NOT NULL,
    uuid TEXT,
    stored_at INTEGER NOT NULL,
    entry TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX IF NOT EXISTS session_entry_ids ON session_entries (project, session, subpath, uuid);
  CREATE INDEX IF NOT EXISTS session_entry_places ON session_entries (project, session, subpath, place);
`;

const BUSY_LIMIT_MS = 10_000;

export interface SqliteSessionStoreOptions {
  /** The database file; created if it does not exist. */
  readonly path: string;
}

/**
 * A session store in a SQLite database, for several processes of one machine. Uses `node:sqlite`.
 *
 * @example
 * import { query } from '@qwen/sdk';
 * import { SqliteSessionStore } from '@qwen/sdk/stores';
 *
 * using sessionStore = new SqliteSessionStore({ path: '/var/lib/app/sessions.db' });
 * for await (const message of query({ prompt: 'Remember: 42', options: { sessionStore } })) console.log(message);
 */
export class SqliteSessionStore implements SessionStore, Disposable {
  readonly #path: string;
  #opening: Promise<DatabaseSync> | undefined;
  #isClosed = false;

  constructor({ path }: SqliteSessionStoreOptions) {
    this.#path = path;
  }

  async append({ projectKey, sessionId, subpath = '' }: SessionKey, entries: SessionStoreEntry[]): Promise<void> {
    const database = await this.#open();
    const insert = database.prepare(
      'INSERT OR IGNORE INTO session_entries (project, session, subpath, uuid, stored_at, entry) VALUES (?, ?, ?, ?, ?, ?)',
    );
    const now = Date.now();
    database.exec('BEGIN IMMEDIATE');
    try {
      for (const entry of entries) {
        insert.run(projectKey, sessionId, subpath, entry.uuid ?? null, now, JSON.stringify(entry));
      }
      database.exec('COMMIT');
    } catch (thrown) {
      database.exec('ROLLBACK');
      throw thrown;
    }
  }

  async load({ projectKey, sessionId, subpath = '' }: SessionKey): Promise<SessionStoreEntry[] | null> {
    const rows = (await this.#open())
      .prepare('SELECT entry FROM session_entries WHERE project = ? AND session = ? AND subpath = ? ORDER BY place')
      .all(projectKey, sessionId, subpath);
    return rows.length === 0 ? null : rows.map(({ entry }) => parseEntry(String(entry)));
  }

  async listSessions(projectKey: string): Promise<{ sessionId: string; mtime: number }[]> {
    const rows = (await this.#open())
      .prepare(
        `SELECT session, max(stored_at) AS stored_at FROM session_entries WHERE project = ? AND subpath = ''
         GROUP BY session ORDER BY max(place)`,
      )
      .all(projectKey);
    return rows.map((row) => ({ sessionId: String(row['session']), mtime: Number(row['stored_at']) }));
  }

  async delete({ projectKey, sessionId, subpath }: SessionKey): Promise<void> {
    (await this.#open())
      .prepare('DELETE FROM session_entries WHERE project = ? AND session = ? AND (? IS NULL OR subpath = ?)')
      .run(projectKey, sessionId, subpath ?? null, subpath ?? null);
  }

  async listSubkeys({ projectKey, sessionId }: { projectKey: string; sessionId: string }): Promise<string[]> {
    const rows = (await this.#open())
      .prepare("SELECT DISTINCT subpath FROM session_entries WHERE project = ? AND session = ? AND subpath <> ''")
      .all(projectKey, sessionId);
    return rows.map(({ subpath }) => String(subpath));
  }

  /** Idempotent. Later calls of the store reject. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#opening?.then(
      (database) => database.close(),
      () => undefined,
    );
  }

  [Symbol.dispose](): void {
    this.close();
  }

  async #open(): Promise<DatabaseSync> {
    if (this.#isClosed) throw new Error(`The session store ${this.#path} is closed.`);
    this.#opening ??= openDatabase(this.#path);
    try {
      return await this.#opening;
    } catch (thrown) {
      this.#opening = undefined;
      throw thrown;
    }
  }
}

async function openDatabase(path: string): Promise<DatabaseSync> {
  const { DatabaseSync: Database } = await import('node:sqlite');
  const database = new Database(path);
  try {
    database.exec(`PRAGMA busy_timeout = ${BUSY_LIMIT_MS}; ${LAYOUT}`);
    return database;
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}
