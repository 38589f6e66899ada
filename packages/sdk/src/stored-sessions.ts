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
 * const { sessions } = await listSessions({ cwd: process.cwd(), limit: 10 });
 */
export async function listSessions(options: ListSessionsOptions = {}): Promise<SessionPage> {
  const { cwd, limit, cursor, ...store } = options;
  return askStore('list_sessions', { cwd, limit, cursor }, store);
}

/** Reads the messages of a stored session. Rejects with `session_not_found`. */
export function getSessionMessages(sessionId: string, options: PageOptions = {}): Promise<SessionMessagesPage> {
  const { limit, cursor, ...store } = options;
  return askStore('get_session_messages', { session_id: sessionId, limit, cursor }, store);
}

/** Sets the title of a session. Rejects with `session_not_found`, or `session_busy` if another process writes it. */
export function renameSession(sessionId: string, title: string, options: StoreOptions = {}): Promise<SessionInfo> {
  return askStore('rename_session', { session_id: sessionId, title }, options);
}

/** Deletes a stored session. Rejects with `session_not_found`, or `session_busy` if it is in use. */
export async function deleteSession(sessionId: string, options: StoreOptions = {}): Promise<void> {
  await askStore('delete_session', { session_id: sessionId }, options);
}

/** Copies a stored session or its beginning to a new id, for `resume`. Rejects with `session_not_found`. */
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
    return await temporary.sendControlRequest(subtype, payload, { signal });
  } finally {
    await temporary.close();
  }
}
