/** Schema version, in `PRAGMA user_version`. */
export const LAYOUT_VERSION = 2;

const USAGE = `
  CREATE TABLE usage (
    day TEXT NOT NULL,
    name TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    usd REAL NOT NULL,
    PRIMARY KEY (day, name)
  ) STRICT, WITHOUT ROWID;
`;

/** From each older version to the next one. Never change an entry that has been released. */
export const MIGRATIONS: Readonly<Record<number, string>> = {
  1: `ALTER TABLE turns ADD COLUMN sender TEXT; ${USAGE}`,
};

/** `untold` is the outbox. */
export const LAYOUT = `
  CREATE TABLE sessions (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    record TEXT NOT NULL
  ) STRICT;
  CREATE TABLE turns (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    request_id TEXT NOT NULL UNIQUE,
    client_key TEXT,
    state TEXT NOT NULL,
    content TEXT NOT NULL,
    prompt TEXT,
    created_at INTEGER NOT NULL,
    untold TEXT,
    sender TEXT
  ) STRICT;
  CREATE UNIQUE INDEX client_keys ON turns (session_id, client_key) WHERE client_key IS NOT NULL;
  CREATE INDEX open_turns ON turns (session_id) WHERE state IN ('queued', 'running');
  CREATE INDEX untold_ends ON turns (number) WHERE untold IS NOT NULL;
  CREATE TABLE history (
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    type TEXT NOT NULL,
    content TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (session_id, number)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE threads (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    record TEXT NOT NULL,
    UNIQUE (session_id, id)
  ) STRICT;
  ${USAGE}
`;

export const SQL = {
  addSession: 'INSERT INTO sessions (id, record) VALUES (?, ?) ON CONFLICT DO NOTHING',
  findSession: 'SELECT number, record FROM sessions WHERE id = ?',
  updateSession: 'UPDATE sessions SET record = ? WHERE id = ?',
  deleteSession: 'DELETE FROM sessions WHERE id = ?',
  listSessions: 'SELECT number, record FROM sessions WHERE number < ? ORDER BY number DESC LIMIT ?',
  countSessions: 'SELECT COUNT(*) AS total FROM sessions',
  addTurn:
    'INSERT INTO turns (id, session_id, request_id, client_key, state, content, prompt, created_at, sender) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  turnOfKey: 'SELECT * FROM turns WHERE session_id = ? AND client_key = ?',
  turnOfId: 'SELECT * FROM turns WHERE id = ?',
  turnOfRequest: 'SELECT * FROM turns WHERE request_id = ?',
  countOpenTurns: "SELECT COUNT(*) AS total FROM turns WHERE session_id = ? AND state IN ('queued', 'running')",
  openTurns: "SELECT * FROM turns WHERE state IN ('queued', 'running') ORDER BY number",
  openTurnsOf: "SELECT * FROM turns WHERE session_id = ? AND state IN ('queued', 'running') ORDER BY number",
  startTurn: "UPDATE turns SET state = 'running' WHERE id = ? AND state = 'queued'",
  endTurn:
    "UPDATE turns SET state = ?, untold = ? WHERE id = ? AND state IN ('queued', ?) RETURNING session_id AS sessionId",
  clearOutbox: 'UPDATE turns SET untold = NULL WHERE id = ?',
  outbox: 'SELECT * FROM turns WHERE untold IS NOT NULL ORDER BY number',
  addHistory:
    'INSERT INTO history (session_id, number, type, content, at) VALUES (?, (SELECT COUNT(*) + 1 FROM history WHERE session_id = ?), ?, ?, ?)',
  history: 'SELECT number, type, content, at FROM history WHERE session_id = ? AND number > ? ORDER BY number LIMIT ?',
  countHistory: 'SELECT COUNT(*) AS total FROM history WHERE session_id = ?',
  backup: 'VACUUM INTO ?',
  addUsage:
    'INSERT INTO usage (day, name, tokens, usd) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET tokens = tokens + excluded.tokens, usd = usd + excluded.usd',
  usageOf: 'SELECT tokens, usd FROM usage WHERE day = ? AND name = ?',
  addThread: 'INSERT INTO threads (id, session_id, record) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  threads: 'SELECT record FROM threads WHERE session_id = ? ORDER BY number',
} as const;
