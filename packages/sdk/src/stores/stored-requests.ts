import { createReadStream } from 'node:fs';
import { utimes } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { AgentError, type ControlPayload, type ControlResult, type SessionInfo, systemCodeOf } from '@qwen/protocol';
import { createSessionId } from '../session-id.js';
import { childEnvironment } from '../transport/create-transport.js';
import { SessionMirror } from './session-mirror.js';
import { type SessionKey, type SessionStore, type SessionStoreEntry, toProjectKey } from './session-store.js';
import { callStore, DEFAULT_STORE_LIMIT_MS, StoreFolder, toEntry } from './store-folder.js';

const DEFAULT_PAGE = 50;
const LARGEST_PAGE = 1_000;
const LOADS_AT_ONCE = 8;
const limitMs = DEFAULT_STORE_LIMIT_MS;

type StoredSubtype = 'list_sessions' | 'get_session_messages' | 'rename_session' | 'delete_session' | 'fork_session';

/** `ask` sends it to a CLI with this flag. */
export interface StoredRequest<T extends StoredSubtype> {
  readonly store: SessionStore;
  readonly cwd: string | undefined;
  readonly ask: (flag: string, payload: ControlPayload<T>) => Promise<ControlResult<T>>;
}

export async function listStoredSessions(
  { limit, cursor }: ControlPayload<'list_sessions'>,
  { store, cwd, ask }: StoredRequest<'list_sessions'>,
): Promise<ControlResult<'list_sessions'>> {
  if (store.listSessions === undefined) {
    throw new AgentError('invalid_options', 'listSessions() needs sessionStore.listSessions()');
  }
  const size = toPageSize(limit ?? DEFAULT_PAGE);
  const start = readCursor(cursor);
  const projectKey = toProjectKey(cwd ?? process.cwd());
  const all = await callStore({
    name: 'listSessions',
    limitMs,
    run: async () => store.listSessions?.(projectKey) ?? [],
  });
  const sorted = all.toSorted((one, other) => other.mtime - one.mtime);
  const page = sorted.slice(start, start + size);
  const answer = await inFolder(async (folder) => {
    for (let index = 0; index < page.length; index += LOADS_AT_ONCE) {
      await Promise.all(
        page.slice(index, index + LOADS_AT_ONCE).map(async ({ sessionId, mtime }) => {
          const isReadable = await folder.write(store, { projectKey, sessionId }, limitMs).catch(skipUnreadable);
          if (isReadable) await utimes(folder.pathOf(sessionId), mtime / 1_000, mtime / 1_000);
        }),
      );
    }
    return await ask(folder.flag, { limit: LARGEST_PAGE });
  });
  const places = new Map(page.map(({ sessionId }, place) => [sessionId, place]));
  const placeOf = ({ session_id: id }: SessionInfo) => places.get(id) ?? page.length;
  const sessions = answer.sessions.toSorted((one, other) => placeOf(one) - placeOf(other));
  return { sessions, ...(start + size < sorted.length && { next_cursor: String(start + size) }) };
}

export async function readStoredMessages(
  payload: ControlPayload<'get_session_messages'>,
  { store, cwd, ask }: StoredRequest<'get_session_messages'>,
): Promise<ControlResult<'get_session_messages'>> {
  const key = toKey(payload.session_id, cwd);
  return inFolder(async (folder) => {
    await folder.write(store, key, limitMs);
    return await ask(folder.flag, payload);
  });
}

export async function renameStoredSession(
  payload: ControlPayload<'rename_session'>,
  { store, cwd, ask }: StoredRequest<'rename_session'>,
): Promise<SessionInfo> {
  const key = toKey(payload.session_id, cwd);
  return inFolder(async (folder) => {
    const stored = await folder.write(store, key, limitMs);
    const info = await ask(folder.flag, payload);
    await addRest({ store, key, path: folder.pathOf(key.sessionId), stored });
    return info;
  });
}

export async function forkStoredSession(
  payload: ControlPayload<'fork_session'>,
  { store, cwd, ask }: StoredRequest<'fork_session'>,
): Promise<SessionInfo> {
  const key = toKey(payload.session_id, cwd);
  const copy = toKey(payload.new_session_id ?? createSessionId(), cwd);
  const existing = await callStore({ name: 'load', limitMs, run: () => store.load(copy) });
  if (existing !== null && existing.length > 0) {
    throw new AgentError('session_exists', `The session ${copy.sessionId} already exists.`, { data: { ...copy } });
  }
  return inFolder(async (folder) => {
    await folder.write(store, key, limitMs);
    const info = await ask(folder.flag, { ...payload, new_session_id: copy.sessionId });
    await addRest({ store, key: copy, path: folder.pathOf(copy.sessionId), stored: { bytes: 0, lines: 0 } });
    return info;
  });
}

export async function deleteStoredSession(sessionId: string, store: SessionStore, cwd?: string): Promise<void> {
  const key = toKey(sessionId, cwd);
  await callStore({ name: 'delete', limitMs, run: async () => store.delete?.(key) });
}

export interface ImportOptions {
  /** The workspace of the project key. Default: that of the session. */
  readonly dir?: string | undefined;
  /** Default: true. */
  readonly includeSubagents?: boolean | undefined;
  /** Entries per call of `append`. Default: 500. */
  readonly batchSize?: number | undefined;
  /** Environment with `QWEN_HOME`. Default: that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The folder of the session file. Default: `sessions` in `QWEN_HOME`. */
  readonly sessionsDir?: string | undefined;
}

export async function importSession(sessionId: string, store: SessionStore, options: ImportOptions): Promise<void> {
  const { dir, batchSize = 500, includeSubagents = true, env, sessionsDir } = options;
  if (!/^[\w-]+$/.test(sessionId)) throw notFound(sessionId);
  const home = childEnvironment(env)['QWEN_HOME'] || join(homedir(), '.qwen');
  const path = join(sessionsDir ?? join(resolve(home), 'sessions'), `${sessionId}.jsonl`);
  let key = dir === undefined ? undefined : toKey(sessionId, dir);
  let batch: SessionStoreEntry[] = [];
  const flush = async () => {
    const entries = batch;
    batch = [];
    if (entries.length === 0 || key === undefined) return;
    const to = key;
    await callStore({ name: 'append', limitMs, run: () => store.append(to, entries) });
  };
  let place = 0;
  for await (const line of linesOf(path, sessionId)) {
    const entry = toEntry(line, place);
    place += 1;
    if (entry === undefined || (!includeSubagents && typeof entry['parent_tool_use_id'] === 'string')) continue;
    key ??= toKey(sessionId, typeof entry['cwd'] === 'string' ? entry['cwd'] : undefined);
    batch.push(entry);
    if (batch.length >= batchSize) await flush();
  }
  await flush();
}

async function* linesOf(path: string, sessionId: string): AsyncGenerator<string> {
  let rest = '';
  try {
    for await (const chunk of createReadStream(path, 'utf8')) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (thrown) {
    if (systemCodeOf(thrown) === 'ENOENT') throw notFound(sessionId, path);
    throw thrown;
  }
}

function notFound(sessionId: string, path?: string): AgentError {
  const place = path === undefined ? '' : ` in ${path}`;
  return new AgentError('session_not_found', `There is no session ${sessionId}${place}.`, { data: { sessionId } });
}

function toKey(sessionId: string, cwd: string | undefined): SessionKey {
  return { projectKey: toProjectKey(cwd ?? process.cwd()), sessionId };
}

async function inFolder<T>(work: (folder: StoreFolder) => Promise<T>): Promise<T> {
  const folder = await StoreFolder.create();
  try {
    return await work(folder);
  } finally {
    await folder.delete();
  }
}

async function addRest(
  parts: Pick<ConstructorParameters<typeof SessionMirror>[0], 'store' | 'key' | 'path' | 'stored'>,
) {
  let failure: AgentError | undefined;
  const onError = (error: AgentError) => {
    failure = error;
  };
  await new SessionMirror({ ...parts, flush: 'batched', limitMs, onError }).close();
  if (failure !== undefined) throw failure;
}

function skipUnreadable(thrown: unknown): undefined {
  if (AgentError.is(thrown) && ['session_not_found', 'storage_damaged'].includes(thrown.code)) return undefined;
  throw thrown;
}

/** The error is that of the CLI. */
function toPageSize(limit: number): number {
  if (Number.isInteger(limit) && limit >= 1) return Math.min(limit, LARGEST_PAGE);
  throw new AgentError('invalid_payload', `limit: expected a number of sessions above 0, not ${limit}`);
}

function readCursor(cursor: string | null | undefined): number {
  if (cursor === undefined || cursor === null) return 0;
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw new AgentError(
    'invalid_cursor',
    `Invalid cursor ${JSON.stringify(cursor)}. Pass next_cursor of the last page.`,
  );
}
