import type { ControlPayload, ControlResult, SessionInfo, SubtypeAskedBy } from '@qwen/protocol';
import type { LaunchOptions } from './options.js';
import { prepareQuery } from './prepare-query.js';
import type { QueryVerbs } from './query-verbs.js';

/** Which CLI reads the store. */
export interface StoreOptions extends LaunchOptions {
  /** A running query whose CLI shall be asked; the other options then do nothing. Default: a CLI for this one question. */
  readonly query?: Pick<QueryVerbs, 'sendControlRequest'> | undefined;
  /** Aborting it rejects with `cancelled`. */
  readonly signal?: AbortSignal | undefined;
}

/** Part of a long list. */
export interface PageOptions extends StoreOptions {
  /** At most so many. Default: as many as the CLI likes to give at once. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the page before. */
  readonly cursor?: string | undefined;
}

export interface ListSessionsOptions extends PageOptions {
  /** Only sessions that began in this folder. Default: those of every folder. */
  readonly cwd?: string | undefined;
}

export interface ForkSessionOptions extends StoreOptions {
  /** The last message that the copy has, by its `uuid`. Default: all of them. */
  readonly upToMessageId?: string | null | undefined;
  /** The id of the copy, a UUID. Default: a random one. */
  readonly newSessionId?: string | undefined;
}

/** A page of sessions, the one used last first; `next_cursor` is missing on the last page. */
export type SessionPage = ControlResult<'list_sessions'>;
/** A page of messages, in order; `next_cursor` is missing on the last page. */
export type SessionMessagesPage = ControlResult<'get_session_messages'>;

/** Lists the stored sessions (FB17). Like the others here it rejects as `query()` fails where no CLI can be started. */
export async function listSessions(options: ListSessionsOptions = {}): Promise<SessionPage> {
  const { cwd, limit, cursor, ...store } = options;
  return askStore('list_sessions', { cwd, limit, cursor }, store);
}

/** Reads the messages of a stored session. Rejects with `session_not_found`. */
export function getSessionMessages(sessionId: string, options: PageOptions = {}): Promise<SessionMessagesPage> {
  const { limit, cursor, ...store } = options;
  return askStore('get_session_messages', { session_id: sessionId, limit, cursor }, store);
}

/** Gives a stored session a title. Rejects with `session_not_found`, and `session_busy` when another process writes it. */
export function renameSession(sessionId: string, title: string, options: StoreOptions = {}): Promise<SessionInfo> {
  return askStore('rename_session', { session_id: sessionId, title }, options);
}

/** Removes a stored session for good. Rejects with `session_not_found`, and `session_busy` when it is in use. */
export async function deleteSession(sessionId: string, options: StoreOptions = {}): Promise<void> {
  await askStore('delete_session', { session_id: sessionId }, options);
}

/** Copies a stored session, or its beginning, under a new id, for `resume`. Rejects with `session_not_found`. */
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
  // Settings could start MCP servers, which this question does not need.
  const asking = prepareQuery({ ...launch, settingSources: [] });
  // The session that it could begin never begins: a CLI stores nothing before its first prompt.
  asking.start();
  try {
    return await asking.sendControlRequest(subtype, payload, { signal });
  } finally {
    await asking.close();
  }
}
