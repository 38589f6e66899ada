import type { ControlPayload, ControlResult, SessionInfo, SubtypeAskedBy } from '@qwen/protocol';
import type { LaunchOptions } from './options/options.js';
import { prepareQuery } from './query/create-query.js';
import type { Query } from './query/query.js';

/** Options of every function for stored sessions. */
export interface StoreOptions extends LaunchOptions {
  /** A running query to use; the launch options are then ignored. Default: a CLI is started for this call. */
  readonly query?: Pick<Query, 'sendControlRequest'> | undefined;
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
  const { cwd, limit, cursor, ...store } = options;
  return askStore('list_sessions', { cwd, limit, cursor }, store);
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
export function getSessionMessages(sessionId: string, options: PageOptions = {}): Promise<SessionMessagesPage> {
  const { limit, cursor, ...store } = options;
  return askStore('get_session_messages', { session_id: sessionId, limit, cursor }, store);
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
export function renameSession(sessionId: string, title: string, options: StoreOptions = {}): Promise<SessionInfo> {
  return askStore('rename_session', { session_id: sessionId, title }, options);
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
  await askStore('delete_session', { session_id: sessionId }, options);
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
export function forkSession(sessionId: string, options: ForkSessionOptions = {}): Promise<SessionInfo> {
  const { upToMessageId, newSessionId, ...store } = options;
  const payload = { session_id: sessionId, up_to_message_id: upToMessageId, new_session_id: newSessionId };
  return askStore('fork_session', payload, store);
}

async function askStore<T extends SubtypeAskedBy<'app'>>(
  subtype: T,
  payload: ControlPayload<T>,
  { query, signal, ...launch }: StoreOptions,
): Promise<ControlResult<T>> {
  if (query !== undefined) return query.sendControlRequest(subtype, payload, { signal });
  // Without settings, which could start MCP servers. A CLI stores nothing before its first prompt.
  const temporary = prepareQuery({ ...launch, settingSources: [] });
  temporary.start();
  try {
    return await temporary.request(subtype, payload, signal === undefined ? {} : { signal });
  } finally {
    await temporary.close();
  }
}
