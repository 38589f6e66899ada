import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createFileStore, type FileStore, type SessionSummary } from '@qwen/agent/node';
import { AgentError, type SessionRecord } from '@qwen/protocol';
import { type TranscriptFile, Transcripts } from './transcript-files.js';
import { readTranscript, summarize, unreadable } from './transcripts.js';

type MessageRecord = Awaited<ReturnType<FileStore['messages']>>['messages'][number];

const PAGE_LENGTH = 50;
const MAX_PAGE_LENGTH = 1_000;
const MAX_MESSAGES = 500;

/** The methods for existing sessions; new ones are created in `directory`. */
type StoredSessions = Omit<FileStore, 'create' | 'import'>;

/**
 * The sessions of `directory` and those of qwen-code next to it. The latter are copied when they are resumed, forked
 * or renamed, and never changed; a copy hides its original.
 */
export function withQwenCodeSessions(directory: string): StoredSessions {
  const own = createFileStore({ directory });
  const transcripts = new Transcripts(join(dirname(directory), 'projects'));
  const isOwn = (sessionId: string): boolean => existsSync(join(directory, `${sessionId}.jsonl`));
  const find = (sessionId: string) => (isOwn(sessionId) ? undefined : transcripts.find(sessionId));

  const list: FileStore['list'] = async (query) => {
    const page = await own.list(query);
    const length = Math.min(query.limit ?? PAGE_LENGTH, MAX_PAGE_LENGTH);
    const after = readCursor(query.cursor);
    const found = transcripts
      .list()
      .filter((file) => !isOwn(file.sessionId) && (after === undefined || newestFirst(after, file) < 0))
      .toSorted(newestFirst);
    const foreign: SessionSummary[] = [];
    for (const file of found) {
      if (foreign.length > length) break;
      const summary = summarize(file, query);
      if (summary !== undefined) foreign.push(summary);
    }
    const all = [...page.sessions, ...foreign].toSorted(newestFirst);
    const sessions = all.slice(0, length);
    const last = sessions.at(-1);
    const hasMore = all.length > sessions.length || page.nextCursor !== undefined;
    return { sessions, ...(hasMore && last && { nextCursor: `${last.modifiedAtMs}:${last.sessionId}` }) };
  };

  const copy = async (file: TranscriptFile): Promise<void> => {
    const { log } = await own.import(newSession(file), { records: stream(recordsToCopy(file)) });
    await log.close();
  };

  return {
    list,
    latest: async (cwd) => (await list({ cwd, limit: 1 })).sessions[0]?.sessionId,
    open: async (sessionId, sink) => {
      const file = find(sessionId);
      if (file !== undefined) await copy(file);
      return own.open(sessionId, sink);
    },
    fork: async (sourceId, session, options = {}) => {
      const file = find(sourceId);
      if (file === undefined) return own.fork(sourceId, session, options);
      return own.import(session, { ...options, forkedFrom: sourceId, records: stream(recordsToCopy(file)) });
    },
    summary: async (sessionId) => {
      const file = find(sessionId);
      const summary = file && summarize(file);
      return summary ?? own.summary(sessionId);
    },
    messages: async (sessionId, query) => {
      const file = find(sessionId);
      return file === undefined ? own.messages(sessionId, query) : pageOf(readTranscript(file), query);
    },
    read: async (sessionId, sink) => {
      const file = find(sessionId);
      if (file === undefined) return own.read(sessionId, sink);
      const { cwd, createdAt } = newSession(file);
      sink.add({ type: 'session', version: 1, session_id: sessionId, cwd, created_at: createdAt });
      for (const record of readTranscript(file)) sink.add(record);
    },
    rename: async (sessionId, title) => {
      const file = find(sessionId);
      if (file !== undefined) await copy(file);
      return own.rename(sessionId, title);
    },
    delete: async (sessionId) => {
      const file = find(sessionId);
      if (file === undefined) return own.delete(sessionId);
      const message = `The session ${sessionId} belongs to qwen-code. Delete it there, or delete ${file.path}.`;
      throw new AgentError('permission_refused', message, { data: { sessionId, path: file.path } });
    },
  };
}

/** Throws `session_not_found`. */
function newSession(file: TranscriptFile) {
  const summary = summarize(file);
  if (summary === undefined) throw unreadable(file);
  return { sessionId: file.sessionId, cwd: summary.cwd, createdAt: summary.createdAt };
}

/** An empty copy would hide its original. Throws `session_not_found`. */
function recordsToCopy(file: TranscriptFile): readonly SessionRecord[] {
  const records = readTranscript(file);
  if (records.length === 0) throw unreadable(file);
  return records;
}

async function* stream(records: readonly SessionRecord[]): AsyncGenerator<SessionRecord> {
  yield* records;
}

type Aged = Pick<SessionSummary, 'sessionId' | 'modifiedAtMs'>;

function newestFirst(one: Aged, other: Aged): number {
  return (
    other.modifiedAtMs - one.modifiedAtMs ||
    (one.sessionId < other.sessionId ? -1 : Number(one.sessionId > other.sessionId))
  );
}

function readCursor(cursor: string | undefined): Aged | undefined {
  const [, time, sessionId] = /^(\d+(?:\.\d+)?):([\w-]+)$/.exec(cursor ?? '') ?? [];
  return time === undefined || sessionId === undefined ? undefined : { sessionId, modifiedAtMs: Number(time) };
}

/** Rejects with `invalid_payload`. */
function pageOf(
  records: readonly SessionRecord[],
  { limit = MAX_MESSAGES, cursor = '0' }: Parameters<FileStore['messages']>[1],
): Awaited<ReturnType<FileStore['messages']>> {
  if (!Number.isInteger(limit) || limit < 1) {
    throw new AgentError('invalid_payload', `limit: expected a number of messages above 0, not ${limit}`);
  }
  if (!/^\d{1,15}$/.test(cursor)) {
    throw new AgentError('invalid_payload', 'cursor: expected the next_cursor of an earlier page');
  }
  const messages = records.filter(isMessage);
  const end = Number(cursor) + Math.min(limit, MAX_MESSAGES);
  return {
    messages: messages.slice(Number(cursor), end),
    ...(end < messages.length && { nextCursor: String(end) }),
  };
}

function isMessage(record: SessionRecord): record is MessageRecord {
  return record.type === 'user' || record.type === 'assistant' || record.type === 'tool_result';
}
