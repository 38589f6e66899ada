import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import {
  calls,
  isolatedEnvironment,
  resourceBaseline,
  type ScriptedModel,
  type ScriptedReply,
  says,
  startLineProcess,
  startScriptedModel,
  type TemporaryFolder,
  temporaryFolder,
  waitUntilGone,
} from '@qwen/testkit';
import { afterAll, expect, test } from 'vitest';
import {
  deleteSession,
  forkSession,
  getSessionMessages,
  InMemorySessionStore,
  importSessionToStore,
  listSessions,
  type QueryOptions,
  query,
  renameSession,
  type SDKMessage,
  type SessionKey,
  type SessionStore,
  type SessionStoreEntry,
} from '../src/index.js';
import { FileSessionStore } from '../src/stores/file-session-store.js';
import { toProjectKey } from '../src/stores/session-store.js';
import { collect, failureOf, resultOf, silentPrompt } from './programs.js';

// The built CLI, found as a dependency of this package.
const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

interface Hosts extends AsyncDisposable {
  readonly folder: TemporaryFolder;
  readonly model: ScriptedModel;
  /** Options of a query on a machine with its own home and temporary folder, and the same workspace. */
  readonly host: (name: string) => Promise<QueryOptions>;
  readonly leftovers: () => Promise<string[]>;
  readonly key: (sessionId: string) => SessionKey;
}

async function openHosts(replies: readonly ScriptedReply[]): Promise<Hosts> {
  const folder = await temporaryFolder();
  const work = folder.resolve('work');
  const temporary = folder.resolve('tmp');
  await Promise.all([mkdir(work), mkdir(temporary)]);
  await folder.write('work/README.md', 'read me');
  const model = await startScriptedModel(replies);
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = temporary;
  return {
    folder,
    model,
    host: async (name) => {
      await mkdir(folder.resolve(name), { recursive: true });
      return { cwd: work, env: isolatedEnvironment(folder.resolve(name), model.env), permissionMode: 'yolo' };
    },
    leftovers: async () => (await readdir(temporary)).filter((name) => name.startsWith('qwen-sessions-')),
    key: (sessionId) => ({ projectKey: toProjectKey(work), sessionId }),
    async [Symbol.asyncDispose]() {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
      await model[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const typesOf = (entries: readonly SessionStoreEntry[] | null) => entries?.map(({ type }) => type);
const errorsIn = (messages: readonly SDKMessage[]) =>
  messages.filter((message) => message.type === 'system' && message.subtype === 'mirror_error');

test('a session continues on another machine, because a result is sent after its turn is stored', async () => {
  await using hosts = await openHosts([
    calls({ name: 'read_file', input: { file_path: 'README.md' } }),
    says('one'),
    says('two'),
    says('three'),
  ]);
  const sessionStore = new InMemorySessionStore();
  const first = query({ prompt: 'first', options: { ...(await hosts.host('a')), sessionStore } });
  const sessionId = first.getSessionId();
  const key = hosts.key(sessionId);
  for await (const message of first) {
    if (message.type !== 'result') continue;
    expect(message).toMatchObject({ result: 'one', session_id: sessionId });
    const entries = sessionStore.getEntries(key);
    expect(typesOf(entries)).toEqual(['session', 'user', 'assistant', 'tool_result', 'assistant', 'turn_end']);
    expect(new Set(entries.map(({ uuid }) => uuid)).size).toBe(6);
    expect(entries.every(({ timestamp }) => !Number.isNaN(Date.parse(String(timestamp))))).toBe(true);
  }
  const options = { ...(await hosts.host('b')), sessionStore };
  expect(await resultOf(query({ prompt: 'second', options: { ...options, resume: sessionId } }))).toMatchObject({
    result: 'two',
    session_id: sessionId,
  });
  const continued = query({ prompt: 'third', options: { ...options, continue: true } });
  expect(await resultOf(continued)).toMatchObject({ result: 'three', session_id: sessionId });
  expect(continued.sessionId).toBe(sessionId);
  const asked = hosts.model.requests.at(-1)?.messages.filter(({ role }) => role === 'user');
  expect(asked).toHaveLength(3);
  expect(typesOf(sessionStore.getEntries(key))?.filter((type) => type === 'turn_end')).toHaveLength(3);
  expect(sessionStore.size).toBe(1);
  // Nothing is left on either machine.
  expect(await hosts.leftovers()).toEqual([]);
  expect(existsSync(hosts.folder.resolve('a/.qwen/sessions'))).toBe(false);
});

test('a fork has its own transcript and leaves the original unchanged', async () => {
  await using hosts = await openHosts([says('one'), says('two')]);
  const sessionStore = new InMemorySessionStore();
  const options = { ...(await hosts.host('a')), sessionStore };
  const sessionId = (await resultOf(query({ prompt: 'first', options })))?.session_id ?? '';
  const original = sessionStore.getEntries(hosts.key(sessionId));
  const forked = query({ prompt: 'second', options: { ...options, resume: sessionId, forkSession: true } });
  const copyId = (await resultOf(forked))?.session_id ?? '';
  expect(copyId).not.toBe(sessionId);
  expect(sessionStore.getEntries(hosts.key(sessionId))).toEqual(original);
  const copy = sessionStore.getEntries(hosts.key(copyId));
  expect(copy[0]).toMatchObject({ type: 'session', session_id: copyId, forked_from: sessionId });
  expect(typesOf(copy)?.filter((type) => type === 'user')).toHaveLength(2);
});

test('a store that fails temporarily is complete in the end, and the app is notified', async () => {
  await using hosts = await openHosts([says('one'), says('two')]);
  const inner = new InMemorySessionStore();
  let isDown = true;
  const sessionStore: SessionStore = {
    append: (key, entries) => (isDown ? Promise.reject(new Error('the database is down')) : inner.append(key, entries)),
    load: (key) => inner.load(key),
  };
  const reports: string[] = [];
  const stderr = (line: string) => reports.push(line);
  async function* prompts() {
    yield { type: 'user', message: { role: 'user', content: 'first' }, parent_tool_use_id: null } as const;
    await failed.promise;
    isDown = false;
    yield { type: 'user', message: { role: 'user', content: 'second' }, parent_tool_use_id: null } as const;
  }
  const failed = Promise.withResolvers<void>();
  const running = query({ prompt: prompts(), options: { ...(await hosts.host('a')), sessionStore, stderr } });
  const messages: SDKMessage[] = [];
  for await (const message of running) {
    messages.push(message);
    if (message.type === 'result') failed.resolve();
  }
  const [error] = errorsIn(messages);
  expect(errorsIn(messages)).toHaveLength(1);
  expect(error).toMatchObject({
    error: expect.stringContaining('the database is down'),
    key: hosts.key(running.getSessionId()),
  });
  expect(messages.indexOf(error as SDKMessage)).toBeLessThan(messages.findIndex(({ type }) => type === 'result'));
  expect(reports.join('\n')).toContain('the database is down');
  expect(typesOf(await inner.load(hosts.key(running.getSessionId())))).toEqual([
    'session',
    'user',
    'assistant',
    'turn_end',
    'user',
    'assistant',
    'turn_end',
  ]);
  expect(await hosts.leftovers()).toEqual([]);
});

test('a hanging store delays the result only by its limit, and the session can still be imported', async () => {
  await using hosts = await openHosts([says('one')]);
  const sessionStore: SessionStore = { append: () => new Promise<never>(() => undefined), load: async () => null };
  const options = { ...(await hosts.host('a')), sessionStore, loadTimeoutMs: 50, stderr: () => undefined };
  const running = query({ prompt: 'first', options });
  const messages = await collect(running);
  expect(messages.find(({ type }) => type === 'result')).toMatchObject({ result: 'one' });
  const last = errorsIn(messages).at(-1);
  expect(JSON.stringify(last)).toContain('did not finish within 50 ms');
  const [left] = await hosts.leftovers();
  const store = new InMemorySessionStore();
  const sessionsDir = hosts.folder.resolve('tmp', left ?? 'none', 'sessions');
  expect(JSON.stringify(last)).toContain(sessionsDir);
  await importSessionToStore(running.getSessionId(), store, { sessionsDir });
  await importSessionToStore(running.getSessionId(), store, { sessionsDir });
  expect(typesOf(store.getEntries(hosts.key(running.getSessionId())))).toEqual([
    'session',
    'user',
    'assistant',
    'turn_end',
  ]);
});

test('loading problems are typed errors of the iteration, without a process', async () => {
  await using hosts = await openHosts([]);
  const resume = '11111111-2222-4333-8444-555555555555';
  const options = { ...(await hosts.host('a')), resume };
  const loads = (load: SessionStore['load']): SessionStore => ({ append: async () => undefined, load });
  const failing = async (sessionStore: SessionStore, more: QueryOptions = {}) => {
    const running = query({ prompt: 'x', options: { ...options, ...more, sessionStore } });
    const failure = await failureOf(collect(running));
    await running.closed;
    expect(running.pid).toBeUndefined();
    return failure;
  };
  expect(await failing(loads(async () => null))).toMatchObject({ code: 'session_not_found' });
  expect(await failing(loads(async () => []))).toMatchObject({ code: 'session_not_found' });
  expect(await failing(loads(() => Promise.reject(new Error('no route'))))).toMatchObject({
    code: 'storage_unreachable',
    message: expect.stringContaining('no route'),
  });
  expect(
    await failing(
      loads(() => new Promise<never>(() => undefined)),
      { loadTimeoutMs: 20 },
    ),
  ).toMatchObject({
    code: 'timeout',
  });
  const foreign = { type: 'user', uuid: 'a', message: { role: 'user', content: 'hi' } };
  expect(await failing(loads(async () => [foreign]))).toMatchObject({ code: 'storage_damaged' });
  expect(await hosts.leftovers()).toEqual([]);
});

test('a query that is closed while it loads ends at once and starts no CLI', async () => {
  await using hosts = await openHosts([]);
  const loading = Promise.withResolvers<void>();
  const loaded = Promise.withResolvers<null>();
  const sessionStore: SessionStore = {
    append: async () => undefined,
    load: () => {
      loading.resolve();
      return loaded.promise;
    },
  };
  const resume = '11111111-2222-4333-8444-555555555555';
  const running = query({ prompt: 'x', options: { ...(await hosts.host('a')), sessionStore, resume } });
  await loading.promise;
  await running.close();
  expect(await collect(running)).toEqual([]);
  expect(running.pid).toBeUndefined();
  loaded.resolve(null);
  await expect.poll(() => hosts.leftovers()).toEqual([]);
});

test('options that contradict a store are refused', async () => {
  await using hosts = await openHosts([]);
  const sessionStore: SessionStore = { append: async () => undefined, load: async () => null };
  const start = async (more: QueryOptions) => {
    const options = { ...(await hosts.host('a')), sessionStore, ...more };
    return query({ prompt: 'x', options });
  };
  await expect(start({ continue: true })).rejects.toThrow('listSessions');
  await expect(start({ server: { url: 'http://127.0.0.1:1' }, env: undefined })).rejects.toThrow('contradict');
  // @ts-expect-error no store
  await expect(start({ sessionStore: {} })).rejects.toThrow('expected append() and load()');
});

test('closing during a turn stores its events, even after an abort', async () => {
  await using hosts = await openHosts([calls({ name: 'read_file', input: { file_path: 'README.md' } }), says('one')]);
  const sessionStore = new InMemorySessionStore();
  const abortController = new AbortController();
  const running = query({ prompt: 'first', options: { ...(await hosts.host('a')), sessionStore, abortController } });
  const failure = await failureOf(
    (async () => {
      for await (const message of running) if (message.type === 'user') abortController.abort();
    })(),
  );
  expect(failure).toMatchObject({ name: 'AbortError' });
  await running.closed;
  expect(typesOf(sessionStore.getEntries(hosts.key(running.getSessionId())))).toEqual(
    expect.arrayContaining(['session', 'user', 'assistant', 'tool_result']),
  );
  expect(await hosts.leftovers()).toEqual([]);
});

test('a killed CLI loses nothing that it wrote', async () => {
  await using hosts = await openHosts([calls({ name: 'read_file', input: { file_path: 'README.md' } }), says('one')]);
  const sessionStore = new InMemorySessionStore();
  const running = query({ prompt: 'first', options: { ...(await hosts.host('a')), sessionStore } });
  const failure = await failureOf(
    (async () => {
      for await (const message of running) if (message.type === 'user') process.kill(running.pid ?? 0, 'SIGKILL');
    })(),
  );
  expect(failure).toMatchObject({ code: 'process_exited' });
  expect(typesOf(sessionStore.getEntries(hosts.key(running.getSessionId())))?.slice(0, 4)).toEqual([
    'session',
    'user',
    'assistant',
    'tool_result',
  ]);
});

test('after SIGKILL of the whole app, another host finishes the turn from the store', async () => {
  await using hosts = await openHosts([
    calls({ name: 'read_file', input: { file_path: 'README.md' } }),
    calls({ name: 'run_shell_command', input: { command: 'sleep 60', is_background: false, description: 'wait' } }),
    says('finished elsewhere'),
  ]);
  const directory = hosts.folder.resolve('store');
  const a = await hosts.host('a');
  const app = await startLineProcess({
    command: process.execPath,
    args: [fileURLToPath(new URL('./programs/stored-app.mjs', import.meta.url)), directory, String(a.cwd)],
    env: { ...a.env, TMPDIR: hosts.folder.resolve('tmp') },
  });
  await using _ = app;
  const line = await app.next((said) => typeof said['stored'] === 'string');
  process.kill(app.pid, 'SIGKILL');
  await waitUntilGone(Number(line['pid']));
  const sessionStore = new FileSessionStore({ directory });
  const options = { ...(await hosts.host('b')), sessionStore, resume: String(line['stored']) };
  const resumed = query({ prompt: silentPrompt(), options });
  expect(await resumed.continueLastTurn()).toMatchObject({ accepted: true });
  resumed.endInput();
  expect(await resultOf(resumed)).toMatchObject({ result: 'finished elsewhere' });
  expect(typesOf(await sessionStore.load(hosts.key(String(line['stored']))))?.at(-1)).toBe('turn_end');
});

test('stored sessions are listed, read, renamed, copied and deleted in the store', async () => {
  await using hosts = await openHosts([says('one'), says('two')]);
  const sessionStore = new InMemorySessionStore();
  const options = { ...(await hosts.host('a')), sessionStore };
  const ids: string[] = [];
  for (const prompt of ['first', 'second']) {
    ids.push((await resultOf(query({ prompt, options })))?.session_id ?? '');
  }
  const { permissionMode: _mode, ...store } = options;
  const listed = await listSessions({ ...store, limit: 1 });
  expect(listed.sessions.map(({ session_id }) => session_id)).toEqual([ids[1]]);
  const rest = await listSessions({ ...store, cursor: String(listed.next_cursor) });
  expect(rest.sessions.map(({ session_id }) => session_id)).toEqual([ids[0]]);
  expect(rest).not.toHaveProperty('next_cursor');
  const [first = '', second = ''] = ids;
  const { messages } = await getSessionMessages(first, store);
  expect(messages.map(({ type }) => type)).toEqual(['user', 'assistant']);
  expect(await renameSession(first, 'A title', store)).toMatchObject({ title: 'A title' });
  expect(sessionStore.getEntries(hosts.key(first)).at(-1)).toMatchObject({ type: 'title', title: 'A title' });
  const copy = await forkSession(second, store);
  expect((await getSessionMessages(copy.session_id, store)).messages).toHaveLength(2);
  await deleteSession(first, store);
  await expect(getSessionMessages(first, store)).rejects.toMatchObject({ code: 'session_not_found' });
  expect((await listSessions(store)).sessions).toHaveLength(2);
  expect(await hosts.leftovers()).toEqual([]);
});

test('a local session is imported in batches and can be resumed from the store', async () => {
  await using hosts = await openHosts([says('one'), says('two')]);
  const options = await hosts.host('a');
  const sessionId = (await resultOf(query({ prompt: 'first', options })))?.session_id ?? '';
  const store = new InMemorySessionStore();
  await importSessionToStore(sessionId, store, { env: options.env, batchSize: 2 });
  expect(store.getEntries(hosts.key(sessionId))).toHaveLength(4);
  const resumed = query({
    prompt: 'second',
    options: { ...(await hosts.host('b')), sessionStore: store, resume: sessionId },
  });
  expect(await resultOf(resumed)).toMatchObject({ result: 'two' });
  await expect(importSessionToStore('../escape', store)).rejects.toMatchObject({ code: 'session_not_found' });
});

test('long and numerous records arrive complete, even if each message is flushed', async () => {
  await using hosts = await openHosts([says('word '.repeat(40_000)), says('two')]);
  const sizes: number[] = [];
  const inner = new InMemorySessionStore();
  const sessionStore: SessionStore = {
    append: (key, entries) => {
      sizes.push(entries.length);
      return inner.append(key, entries);
    },
    load: (key) => inner.load(key),
  };
  const options: QueryOptions = { ...(await hosts.host('a')), sessionStore, sessionStoreFlush: 'eager' };
  const result = await resultOf(query({ prompt: `long ${'ü'.repeat(700_000)}`, options }));
  const key = hosts.key(result?.session_id ?? '');
  expect(Buffer.byteLength(JSON.stringify(inner.getEntries(key)))).toBeGreaterThan(1_500_000);
  expect(sizes.every((size) => size > 0 && size <= 500)).toBe(true);
  const resumed = query({ prompt: 'again', options: { ...options, resume: key.sessionId } });
  expect(await resultOf(resumed)).toMatchObject({ result: 'two' });
});
