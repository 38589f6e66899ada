/** Schema version, in `PRAGMA user_version`. */
export const LAYOUT_VERSION = 1;

/** `session` is a number, to keep rows small. */
export const LAYOUT = `
  CREATE TABLE sessions (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    last_seq INTEGER NOT NULL DEFAULT 0,
    first_seq INTEGER NOT NULL DEFAULT 1,
    bytes INTEGER NOT NULL DEFAULT 0,
    is_finished INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE events (
    session INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    event_id TEXT,
    thread_id TEXT,
    at_ms INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (session, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX event_ids ON events (session, event_id) WHERE event_id IS NOT NULL;
`;

export const SQL = {
  findSession: 'SELECT number, last_seq, first_seq, bytes, is_finished FROM sessions WHERE id = ?',
  addSession: 'INSERT INTO sessions (id) VALUES (?) ON CONFLICT DO NOTHING',
  listSessions: 'SELECT id FROM sessions WHERE id > ? ORDER BY id LIMIT ?',
  moveSession: 'UPDATE sessions SET last_seq = ?, first_seq = ?, bytes = ? WHERE number = ?',
  finishSession: 'UPDATE sessions SET is_finished = 1 WHERE number = ?',
  dropSession: 'DELETE FROM sessions WHERE number = ?',
  dropEvents: 'DELETE FROM events WHERE session = ? AND seq < ?',
  findEvent: 'SELECT seq FROM events WHERE session = ? AND event_id = ?',
  addEvent:
    'INSERT INTO events (session, seq, type, data, event_id, thread_id, at_ms, bytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  readEvents:
    'SELECT seq, type, data, event_id, thread_id, at_ms, bytes FROM events WHERE session = ? AND seq > ? AND seq < ? ORDER BY seq LIMIT ?',
  sizes: 'SELECT seq, bytes, at_ms FROM events WHERE session = ? ORDER BY seq',
} as const;
