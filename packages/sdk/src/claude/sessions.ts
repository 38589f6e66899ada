import { toolNameIn } from '@qwen/protocol';
import * as own from '../index.js';

/** A stored session. */
export interface SDKSessionInfo {
  sessionId: string;
  /** The title, else the start of the first prompt. */
  summary: string;
  /** Milliseconds since 1970. */
  lastModified: number;
  fileSize?: number | undefined;
  customTitle?: string | undefined;
  firstPrompt?: string | undefined;
  cwd?: string | undefined;
  /** Milliseconds since 1970. */
  createdAt?: number | undefined;
}

/** A message of a stored session. */
export interface SessionMessage {
  type: 'user' | 'assistant' | 'system';
  uuid: string;
  session_id: string;
  message: unknown;
  parent_tool_use_id: string | null;
}

export interface SessionMutationOptions {
  /** Sessions started in this directory. Default: every directory. */
  dir?: string | undefined;
  sessionStore?: own.SessionStore | undefined;
}
export interface ListSessionsOptions extends SessionMutationOptions {
  limit?: number | undefined;
  /** How many to skip. */
  offset?: number | undefined;
}
export type GetSessionInfoOptions = SessionMutationOptions;
export type GetSessionMessagesOptions = ListSessionsOptions;
export interface ForkSessionOptions extends SessionMutationOptions {
  /** `uuid` of the last message to copy. Default: the last one. */
  upToMessageId?: string | undefined;
  title?: string | undefined;
}
export interface ForkSessionResult {
  sessionId: string;
}

/**
 * Lists the stored sessions, most recently used first.
 *
 * @example
 * import { listSessions } from '@qwen/sdk/claude';
 *
 * for (const { sessionId, summary } of await listSessions({ dir: process.cwd() })) console.log(sessionId, summary);
 */
export async function listSessions(options: ListSessionsOptions = {}): Promise<SDKSessionInfo[]> {
  const { dir: cwd } = options;
  const pages = (cursor: string | undefined) =>
    own.listSessions({ ...launch(options), cwd, cursor }).then((page) => ({ entries: page.sessions, page }));
  return (await slice(pages, options)).map(toSessionInfo);
}

/**
 * Finds a stored session; undefined if there is none with this id.
 *
 * @example
 * import { getSessionInfo, listSessions } from '@qwen/sdk/claude';
 *
 * const [latest] = await listSessions({ limit: 1 });
 * if (latest) console.log((await getSessionInfo(latest.sessionId))?.summary);
 */
export async function getSessionInfo(
  sessionId: string,
  options: GetSessionInfoOptions = {},
): Promise<SDKSessionInfo | undefined> {
  return (await listSessions(options)).find((session) => session.sessionId === sessionId);
}

/**
 * Reads the messages of a stored session, oldest first. Rejects with `session_not_found`.
 *
 * @example
 * import { getSessionMessages, listSessions } from '@qwen/sdk/claude';
 *
 * const [latest] = await listSessions({ limit: 1 });
 * if (latest) for (const { type } of await getSessionMessages(latest.sessionId)) console.log(type);
 */
export async function getSessionMessages(
  sessionId: string,
  options: GetSessionMessagesOptions = {},
): Promise<SessionMessage[]> {
  const pages = (cursor: string | undefined) =>
    own
      .getSessionMessages(sessionId, { ...launch(options), cursor })
      .then((page) => ({ entries: page.messages, page }));
  return (await slice(pages, options)).map((message) => toSessionMessage(message, sessionId));
}

/**
 * Sets the title of a session. Rejects with `session_not_found`.
 *
 * @example
 * import { listSessions, renameSession } from '@qwen/sdk/claude';
 *
 * const [latest] = await listSessions({ limit: 1 });
 * if (latest) await renameSession(latest.sessionId, 'Fix the parser');
 */
export async function renameSession(
  sessionId: string,
  title: string,
  options: SessionMutationOptions = {},
): Promise<void> {
  await own.renameSession(sessionId, title, launch(options));
}

/**
 * Deletes a stored session. Rejects with `session_not_found`.
 *
 * @example
 * import { deleteSession, listSessions } from '@qwen/sdk/claude';
 *
 * for (const { sessionId } of await listSessions({ dir: '/tmp/experiment' })) await deleteSession(sessionId);
 */
export async function deleteSession(sessionId: string, options: SessionMutationOptions = {}): Promise<void> {
  await own.deleteSession(sessionId, launch(options));
}

/**
 * Copies a stored session or its beginning to a new id, for `resume`. Rejects with `session_not_found`.
 *
 * @example
 * import { forkSession, listSessions, query } from '@qwen/sdk/claude';
 *
 * const [latest] = await listSessions({ limit: 1 });
 * if (latest) {
 *   const { sessionId: resume } = await forkSession(latest.sessionId, { title: 'Without a cache' });
 *   for await (const message of query({ prompt: 'Try it.', options: { resume } })) console.log(message);
 * }
 */
export async function forkSession(sessionId: string, options: ForkSessionOptions = {}): Promise<ForkSessionResult> {
  const { upToMessageId, title } = options;
  const { session_id: copy } = await own.forkSession(sessionId, { ...launch(options), upToMessageId });
  if (title !== undefined) await own.renameSession(copy, title, launch(options));
  return { sessionId: copy };
}

function launch({ dir: cwd, sessionStore }: SessionMutationOptions) {
  return { ...(cwd !== undefined && { cwd }), ...(sessionStore !== undefined && { sessionStore }) };
}

interface Page<Entry> {
  readonly entries: readonly Entry[];
  readonly page: { readonly next_cursor?: string | undefined };
}

async function slice<Entry>(
  next: (cursor: string | undefined) => Promise<Page<Entry>>,
  { limit = Number.POSITIVE_INFINITY, offset = 0 }: ListSessionsOptions,
): Promise<Entry[]> {
  const found: Entry[] = [];
  let cursor: string | undefined;
  do {
    const { entries, page } = await next(cursor);
    found.push(...entries);
    cursor = page.next_cursor;
  } while (cursor !== undefined && found.length < offset + limit);
  return found.slice(offset, offset + limit);
}

function toSessionInfo(session: own.SessionInfo): SDKSessionInfo {
  const { session_id: sessionId, title, first_prompt: firstPrompt, cwd, size_bytes: fileSize } = session;
  const lastModified = Date.parse(session.modified_at);
  const createdAt = Date.parse(session.created_at);
  const summary = title ?? firstPrompt ?? '';
  return { sessionId, summary, lastModified, fileSize, customTitle: title, firstPrompt, cwd, createdAt };
}

function toSessionMessage(stored: own.SDKUserMessage | own.SDKAssistantMessage, sessionId: string): SessionMessage {
  const { type, uuid, message, parent_tool_use_id } = stored;
  const content = Array.isArray(message.content)
    ? message.content.map((block) =>
        block.type === 'tool_use' ? { ...block, name: toolNameIn('claude', block.name) } : block,
      )
    : message.content;
  return {
    type,
    uuid: uuid ?? '',
    session_id: stored.session_id ?? sessionId,
    message: { ...message, content },
    parent_tool_use_id: parent_tool_use_id ?? null,
  };
}
