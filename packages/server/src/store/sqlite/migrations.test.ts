import { DatabaseSync } from 'node:sqlite';
import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { aSession, aThread, aTurn } from '../../../test/session-store.contract.js';
import { LAYOUT_VERSION } from './schema.js';
import { SqliteSessionStore } from './sqlite-session-store.js';

/** The layouts that were released, with the rows of one session. */
const RELEASED: Readonly<Record<number, (database: DatabaseSync) => void>> = {
  1: (database) => {
    database.exec(`
      CREATE TABLE sessions (
        number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, record TEXT NOT NULL
      ) STRICT;
      CREATE TABLE turns (
        number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
        session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE, request_id TEXT NOT NULL UNIQUE,
        client_key TEXT, state TEXT NOT NULL, content TEXT NOT NULL, prompt TEXT, created_at INTEGER NOT NULL, untold TEXT
      ) STRICT;
      CREATE UNIQUE INDEX client_keys ON turns (session_id, client_key) WHERE client_key IS NOT NULL;
      CREATE INDEX open_turns ON turns (session_id) WHERE state IN ('queued', 'running');
      CREATE INDEX untold_ends ON turns (number) WHERE untold IS NOT NULL;
      CREATE TABLE history (
        session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE, number INTEGER NOT NULL,
        type TEXT NOT NULL, content TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (session_id, number)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE threads (
        number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL,
        session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE, record TEXT NOT NULL,
        UNIQUE (session_id, id)
      ) STRICT;
      PRAGMA user_version = 1;
    `);
    database.prepare('INSERT INTO sessions (id, record) VALUES (?, ?)').run('a', JSON.stringify(aSession('a')));
    database
      .prepare('INSERT INTO threads (id, session_id, record) VALUES (?, ?, ?)')
      .run('thrd_a', 'a', JSON.stringify(aThread('a')));
    const { id, requestId, state, content, createdAt } = aTurn('a', 't1');
    database
      .prepare('INSERT INTO turns (id, session_id, request_id, state, content, created_at) VALUES (?, ?, ?, ?, ?, ?)')
      .run(id, 'a', requestId, state, JSON.stringify(content), createdAt);
  },
};

test.each(Object.keys(RELEASED).map(Number))('a store of schema %i opens with its content', async (version) => {
  await using folder = await temporaryFolder();
  const path = folder.resolve('sessions.sqlite');
  const old = new DatabaseSync(path);
  RELEASED[version]?.(old);
  old.close();
  for (const _opening of ['first', 'second']) {
    const store = await SqliteSessionStore.open(path);
    expect(await store.get('a')).toEqual(aSession('a'));
    expect(await store.openTurns('a')).toEqual([aTurn('a', 't1')]);
    expect(await store.threads('a')).toEqual([aThread('a')]);
    await store.addUsage('ann', '2026-01-01', { tokens: 1, usd: 0.5 });
    await store.close();
  }
  const upgraded = new DatabaseSync(path);
  const columns = (database: DatabaseSync, table: string) =>
    database
      .prepare(`SELECT name FROM pragma_table_info('${table}') ORDER BY name`)
      .all()
      .map(({ name }) => name);
  const fresh = folder.resolve('fresh.sqlite');
  await (await SqliteSessionStore.open(fresh)).close();
  const created = new DatabaseSync(fresh);
  for (const table of ['sessions', 'turns', 'history', 'threads', 'usage']) {
    expect([table, columns(upgraded, table)]).toEqual([table, columns(created, table)]);
  }
  expect(upgraded.prepare('PRAGMA user_version').get()).toEqual({ user_version: LAYOUT_VERSION });
  upgraded.close();
  created.close();
});

test('each older schema has a released example', () => {
  expect(Object.keys(RELEASED).map(Number)).toEqual(
    Array.from({ length: LAYOUT_VERSION - 1 }, (_, index) => index + 1),
  );
});
