import { appendFile, readdir } from 'node:fs/promises';
import { hasRedisServer, RedisServer, temporaryFolder } from '@qwen/testkit';
import { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { FileSessionStore } from './file-session-store.js';
import { InMemorySessionStore } from './in-memory-session-store.js';
import { RedisSessionStore } from './redis-session-store.js';
import { type SessionStore, toProjectKey } from './session-store.js';
import { SqliteSessionStore } from './sqlite-session-store.js';

interface OpenedStore extends AsyncDisposable {
  readonly store: Required<SessionStore>;
  /** Another one with the same sessions, as on another machine. */
  readonly other: Required<SessionStore>;
}

const key = { projectKey: '-srv-app', sessionId: '11111111-2222-4333-8444-555555555555' };
const entry = (id: string) => ({ type: 'user', uuid: id, text: `${id} ü "quoted" \n {}` });

async function files(): Promise<OpenedStore> {
  const folder = await temporaryFolder();
  const directory = folder.resolve('store');
  const dispose = () => folder[Symbol.asyncDispose]();
  return {
    store: new FileSessionStore({ directory }),
    other: new FileSessionStore({ directory }),
    [Symbol.asyncDispose]: dispose,
  };
}

async function sqlite(): Promise<OpenedStore> {
  const folder = await temporaryFolder();
  const path = folder.resolve('sessions.db');
  const stores = [new SqliteSessionStore({ path }), new SqliteSessionStore({ path })] as const;
  return {
    store: stores[0],
    other: stores[1],
    async [Symbol.asyncDispose]() {
      for (const store of stores) store.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function redis(): Promise<OpenedStore> {
  const server = await RedisServer.start();
  const clients = [new Redis(server.url), new Redis(server.url)] as const;
  return {
    store: new RedisSessionStore({ client: clients[0] }),
    other: new RedisSessionStore({ client: clients[1] }),
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.disconnect();
      await server[Symbol.asyncDispose]();
    },
  };
}

function memory(): Promise<OpenedStore> {
  const store = new InMemorySessionStore();
  return Promise.resolve({ store, other: store, [Symbol.asyncDispose]: () => Promise.resolve() });
}

const KINDS: readonly (readonly [string, () => Promise<OpenedStore>, boolean])[] = [
  ['memory', memory, true],
  ['files', files, true],
  ['SQLite', sqlite, true],
  ['Redis', redis, hasRedisServer],
];

describe.each(KINDS.filter(([, , isAvailable]) => isAvailable))('a session store in %s', (_name, open) => {
  test('returns the entries unchanged, in order, without repetitions', async () => {
    await using opened = await open();
    const { store, other } = opened;
    expect(await store.load(key)).toBeNull();
    await store.append(key, [{ type: 'title', title: 'no id' }, entry('a')]);
    await store.append(key, [entry('a'), entry('b')]);
    await other.append(key, [{ type: 'title', title: 'no id' }, entry('b'), entry('c')]);
    expect(await other.load(key)).toEqual([
      { type: 'title', title: 'no id' },
      entry('a'),
      entry('b'),
      { type: 'title', title: 'no id' },
      entry('c'),
    ]);
  });

  test('keeps the order of concurrent appends', async () => {
    await using opened = await open();
    const names = Array.from({ length: 40 }, (_, index) => `entry-${index}`);
    await Promise.all(names.map((name) => opened.store.append(key, [entry(name)])));
    expect((await opened.store.load(key))?.map(({ uuid }) => uuid)).toEqual(names);
  });

  test('lists the sessions of a project, with the time of the last append', async () => {
    await using opened = await open();
    const { store, other } = opened;
    const before = Date.now() - 10;
    await store.append(key, [entry('a')]);
    await store.append({ ...key, sessionId: 'second' }, [entry('a')]);
    await store.append({ ...key, projectKey: '-srv-other', sessionId: 'third' }, [entry('a')]);
    await store.append({ ...key, sessionId: 'second', subpath: 'subagents/agent-1' }, [entry('s')]);
    const sessions = await other.listSessions(key.projectKey);
    expect(sessions.map(({ sessionId }) => sessionId).toSorted()).toEqual([key.sessionId, 'second']);
    for (const { mtime } of sessions) {
      expect(Number.isInteger(mtime)).toBe(true);
      expect(mtime).toBeGreaterThanOrEqual(before);
    }
    expect(await other.listSessions('-nowhere')).toEqual([]);
  });

  test('deletes only a session and its subpaths', async () => {
    await using opened = await open();
    const { store, other } = opened;
    const sub = { ...key, subpath: 'subagents/../agent-1' };
    await store.append(key, [entry('a')]);
    await store.append(sub, [entry('s')]);
    await store.append({ ...key, sessionId: 'second' }, [entry('a')]);
    expect(await other.listSubkeys(key)).toEqual([sub.subpath]);
    expect(await other.load(sub)).toEqual([entry('s')]);
    await store.delete(key);
    expect(await other.load(key)).toBeNull();
    expect(await other.load(sub)).toBeNull();
    expect(await other.listSubkeys(key)).toEqual([]);
    expect((await other.listSessions(key.projectKey)).map(({ sessionId }) => sessionId)).toEqual(['second']);
    await store.append(key, [entry('a')]);
    expect(await other.load(key)).toEqual([entry('a')]);
  });
});

test('a file store skips the partial line of a killed process', async () => {
  await using folder = await temporaryFolder();
  const store = new FileSessionStore({ directory: folder.path });
  await store.append(key, [entry('a')]);
  await appendFile(folder.resolve(key.projectKey, `${key.sessionId}.jsonl`), '{"type":"user","uu');
  await store.append(key, [entry('b')]);
  expect(await store.load(key)).toEqual([entry('a'), entry('b')]);
});

test('no key of a file store leaves its directory', async () => {
  await using folder = await temporaryFolder();
  const store = new FileSessionStore({ directory: folder.resolve('store') });
  for (const name of ['..', '../../x', '.', 'a/../../../b', 'C:\\x']) {
    await store.append({ projectKey: name, sessionId: name, subpath: name }, [entry('a')]);
    expect(await store.listSubkeys({ projectKey: name, sessionId: name })).toEqual([name]);
  }
  expect(await readdir(folder.path)).toEqual(['store']);
});

test('a file store lists its sessions next to a file that it did not write', async () => {
  await using folder = await temporaryFolder();
  const store = new FileSessionStore({ directory: folder.path });
  await store.append(key, [entry('a')]);
  await folder.write(`${key.projectKey}/100%.jsonl`, '');
  await folder.write(`${key.projectKey}/${key.sessionId}.subkeys/100%.jsonl`, '');
  expect(await store.listSessions(key.projectKey)).toMatchObject([{ sessionId: key.sessionId }]);
  expect(await store.listSubkeys(key)).toEqual([]);
});

test('a closed SQLite store rejects', async () => {
  await using folder = await temporaryFolder();
  const store = new SqliteSessionStore({ path: folder.resolve('sessions.db') });
  await store.append(key, [entry('a')]);
  store.close();
  await expect(store.load(key)).rejects.toThrow('is closed');
});

test('the project key is the path with dashes; long ones are truncated and stay distinct', () => {
  expect(toProjectKey('/srv/my.app_1/ü')).toBe('-srv-my-app-1--');
  const long = `/srv/${'a'.repeat(300)}`;
  expect(toProjectKey(`${long}/x`)).not.toBe(toProjectKey(`${long}/y`));
  expect(toProjectKey(long).length).toBeLessThan(220);
});
