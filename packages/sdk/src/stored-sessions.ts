import type { ControlPayload, ControlResult, SessionInfo, SubtypeAskedBy } from '@qwen/protocol';
import type { LaunchOptions } from './options/options.js';
import { prepareQuery } from './query/create-query.js';
import type { Query } from './query/query.js';
import type { SessionStore } from './stores/session-store.js';
import type { ImportOptions } from './stores/stored-requests.js';

/** Options of every function for stored sessions. */
export interface StoreOptions extends LaunchOptions {
  /** A running query to use; the launch options are then ignored. Default: a CLI is started for this call. */
  readonly query?: Pick<Query, 'sendControlRequest'> | undefined;
  /** Uses the sessions of `cwd` in this store, and ignores `query`. */
  readonly sessionStore?: SessionStore | undefined;
  /** Aborting it rejects the call with `cancelled`. */
  readonly signal?: AbortSignal | undefined;
}

export interface PageOptions extends StoreOptions {
  /** Maximum number of entries. Default: chosen by the CLI. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the previous page. */
  readonly cursor?: string | undefined;
}

export interface ListSessionsOptions extends PageOptions {
  /** Only sessions started in this directory. Default: every directory. */
  readonly cwd?: string | undefined;
}

export interface ForkSessionOptions extends StoreOptions {
  /** `uuid` of the last message to copy. Default: the last one. */
  readonly upToMessageId?: string | null | undefined;
  /** Id of the copy, a UUID. Default: random. */
  readonly newSessionId?: string | undefined;
}

/** Sessions, most recently used first. `next_cursor` is missing on the last page. */
export type SessionPage = ControlResult<'list_sessions'>;
/** Messages in order. `next_cursor` is missing on the last page. */
export type SessionMessagesPage = ControlResult<'get_session_messages'>;

/**
 * Lists the stored sessions. Like every function here, it also rejects with the errors of starting a CLI.
 *
 * @example
 * import { listSessions } from '@qwen/sdk';
 *
 * const { sessions } = await listSessions({ cwd: process.cwd(), limit: 10 });
 * for (const { session_id, title } of sessions) console.log(session_id, title);
 */
export async function listSessions(options: ListSessionsOptions = {}): Promise<SessionPage> {
  const { cwd, limit, cursor, ...rest } = options;
  const { sessionStore: store } = options;
  if (store === undefined) return askStore('list_sessions', { cwd, limit, cursor }, rest);
  const { listStoredSessions } = await import('./on-demand.js');
  const ask = askWithFlag('list_sessions', rest);
  return listStoredSessions({ limit, cursor }, { store, cwd, ask });
}

/**
 * Reads the messages of a stored session. Rejects with `session_not_found`.
 *
 * @example
 * import { getSessionMessages, listSessions } from '@qwen/sdk';
 *
 * const [latest] = (await listSessions({ limit: 1 })).sessions;
 * if (latest !== undefined) {
 *   const { messages } = await getSessionMessages(latest.session_id);
 *   for (const message of messages) console.log(message);
 * }
 */
export async function getSessionMessages(sessionId: string, options: PageOptions = {}): Promise<SessionMessagesPage> {
  const { limit, cursor, ...rest } = options;
  const payload = { session_id: sessionId, limit, cursor };
  const { sessionStore: store, cwd } = options;
  if (store === undefined) return askStore('get_session_messages', payload, rest);
  const { readStoredMessages } = await import('./on-demand.js');
  return readStoredMessages(payload, { store, cwd, ask: askWithFlag('get_session_messages', rest) });
}

/**
 * Sets the title of a session. Rejects with `session_not_found`, or `session_busy` if another process writes it.
 *
 * @example
 * import { listSessions, renameSession } from '@qwen/sdk';
 *
 * const [latest] = (await listSessions({ limit: 1 })).sessions;
 * if (latest !== undefined) await renameSession(latest.session_id, 'Fix the parser');
 */
export async function renameSession(
  sessionId: string,
  title: string,
  options: StoreOptions = {},
): Promise<SessionInfo> {
  const payload = { session_id: sessionId, title };
  const { sessionStore: store, cwd } = options;
  if (store === undefined) return askStore('rename_session', payload, options);
  const { renameStoredSession } = await import('./on-demand.js');
  return renameStoredSession(payload, { store, cwd, ask: askWithFlag('rename_session', options) });
}

/**
 * Deletes a stored session. Rejects with `session_not_found`, or `session_busy` if it is in use.
 *
 * @example
 * import { deleteSession, listSessions } from '@qwen/sdk';
 *
 * const { sessions } = await listSessions({ cwd: '/tmp/experiment' });
 * for (const { session_id } of sessions) await deleteSession(session_id);
 */
export async function deleteSession(sessionId: string, options: StoreOptions = {}): Promise<void> {
  const { sessionStore: store, cwd } = options;
  if (store === undefined) {
    await askStore('delete_session', { session_id: sessionId }, options);
    return;
  }
  const { deleteStoredSession } = await import('./on-demand.js');
  await deleteStoredSession(sessionId, store, cwd);
}

/**
 * Copies a stored session or its beginning to a new id, for `resume`. Rejects with `session_not_found`.
 *
 * @example
 * import { forkSession, listSessions, query } from '@qwen/sdk';
 *
 * const [latest] = (await listSessions({ limit: 1 })).sessions;
 * if (latest !== undefined) {
 *   const { session_id: resume } = await forkSession(latest.session_id);
 *   for await (const message of query({ prompt: 'Try it without a cache.', options: { resume } })) console.log(message);
 * }
 */
export async function forkSession(sessionId: string, options: ForkSessionOptions = {}): Promise<SessionInfo> {
  const { upToMessageId, newSessionId, ...rest } = options;
  const payload = { session_id: sessionId, up_to_message_id: upToMessageId, new_session_id: newSessionId };
  const { sessionStore: store, cwd } = options;
  if (store === undefined) return askStore('fork_session', payload, rest);
  const { forkStoredSession } = await import('./on-demand.js');
  return forkStoredSession(payload, { store, cwd, ask: askWithFlag('fork_session', rest) });
}

/** Options of {@link importSessionToStore}. */
export type ImportSessionToStoreOptions = ImportOptions;

/**
 * Copies a session of this machine to a store. Entries that the store has are skipped, so an interrupted import can be
 * repeated. Rejects with `session_not_found`, and the errors of the store.
 *
 * @example
 * import { importSessionToStore, InMemorySessionStore, listSessions } from '@qwen/sdk';
 *
 * const store = new InMemorySessionStore();
 * const { sessions } = await listSessions({ cwd: process.cwd() });
 * for (const { session_id } of sessions) await importSessionToStore(session_id, store);
 */
export async function importSessionToStore(
  sessionId: string,
  store: SessionStore,
  options: ImportSessionToStoreOptions = {},
): Promise<void> {
  const { importSession } = await import('./on-demand.js');
  await importSession(sessionId, store, options);
}

function askWithFlag<T extends SubtypeAskedBy<'app'>>(subtype: T, options: StoreOptions) {
  return (flag: string, payload: ControlPayload<T>): Promise<ControlResult<T>> =>
    askStore(subtype, payload, { ...options, query: undefined, extraArgs: [flag] });
}

interface AskOptions extends StoreOptions {
  readonly extraArgs?: readonly string[];
}

async function askStore<T extends SubtypeAskedBy<'app'>>(
  subtype: T,
  payload: ControlPayload<T>,
  { query, signal, sessionStore: _sessionStore, extraArgs, ...launch }: AskOptions,
): Promise<ControlResult<T>> {
  if (query !== undefined) return query.sendControlRequest(subtype, payload, { signal });
  // Without settings, which could start MCP servers. A CLI stores nothing before its first prompt.
  const temporary = prepareQuery({ ...launch, settingSources: [], ...(extraArgs !== undefined && { extraArgs }) });
  temporary.start();
  try {
    return await temporary.request(subtype, payload, signal === undefined ? {} : { signal });
  } finally {
    await temporary.close();
  }
}
