import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AgentError } from '@qwen/protocol';
import { readEntry, readSummary, SESSION_SUFFIX, type SessionEntry, type SessionSummary } from './session-summary.js';

export interface SessionQuery {
  readonly cwd?: string;
  /** Default {@link DEFAULT_PAGE_LENGTH}, at most {@link MAX_PAGE_LENGTH}. */
  readonly limit?: number;
  readonly cursor?: string;
}

export interface SessionPage {
  readonly sessions: readonly SessionSummary[];
  readonly nextCursor?: string;
}

const DEFAULT_PAGE_LENGTH = 50;
const MAX_PAGE_LENGTH = 1_000;
const FILES_AT_ONCE = 200;

export async function* listSessions(
  directory: string,
  wanted: { readonly cwd?: string } = {},
): AsyncGenerator<SessionSummary> {
  for await (const { summary } of summaries(await readEntries(directory), wanted)) yield summary;
}

/** A session used between two pages is not listed again. Rejects with `invalid_payload`. */
export async function listSessionPage(directory: string, query: SessionQuery): Promise<SessionPage> {
  const { limit = DEFAULT_PAGE_LENGTH, cursor } = query;
  if (!Number.isInteger(limit) || limit < 1) {
    throw new AgentError('invalid_payload', `limit: expected a number of sessions above 0, not ${limit}`);
  }
  const after = cursor === undefined ? undefined : readCursor(cursor, directory);
  const entries = await readEntries(directory);
  const rest = after === undefined ? entries : entries.filter((entry) => newestFirst(after, entry) < 0);
  const length = Math.min(limit, MAX_PAGE_LENGTH);
  const sessions: SessionSummary[] = [];
  let last: SessionEntry | undefined;
  for await (const { summary, entry } of summaries(rest, query)) {
    if (last !== undefined && sessions.length === length) return { sessions, nextCursor: toCursor(last) };
    sessions.push(summary);
    last = entry;
  }
  return { sessions };
}

async function readEntries(directory: string): Promise<SessionEntry[]> {
  const names = (await readdir(directory).catch(() => [])).filter((name) => name.endsWith(SESSION_SUFFIX));
  const entries: SessionEntry[] = [];
  for (const [index, name] of names.entries()) {
    if (index % FILES_AT_ONCE === FILES_AT_ONCE - 1) await yieldToEventLoop();
    const entry = readEntry(join(directory, name));
    if (entry !== undefined) entries.push(entry);
  }
  return entries.toSorted(newestFirst);
}

async function* summaries(entries: readonly SessionEntry[], wanted: { readonly cwd?: string }) {
  for (const [index, entry] of entries.entries()) {
    if (index % FILES_AT_ONCE === FILES_AT_ONCE - 1) await yieldToEventLoop();
    const summary = readSummary(entry, wanted);
    if (summary !== undefined) yield { entry, summary };
  }
}

function newestFirst(left: SessionEntry, right: SessionEntry): number {
  return right.modifiedAtMs - left.modifiedAtMs || (left.path < right.path ? -1 : Number(left.path > right.path));
}

function toCursor({ path, modifiedAtMs }: SessionEntry): string {
  return `${modifiedAtMs}:${basename(path, SESSION_SUFFIX)}`;
}

function readCursor(cursor: string, directory: string): SessionEntry {
  const [, time, name] = /^(\d+(?:\.\d+)?):([\w-]+)$/.exec(cursor) ?? [];
  if (time === undefined || name === undefined) {
    throw new AgentError('invalid_payload', 'cursor: expected the next_cursor of an earlier page');
  }
  return { path: join(directory, `${name}${SESSION_SUFFIX}`), modifiedAtMs: Number(time) };
}

function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
