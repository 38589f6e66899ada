import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type SessionRecord, sessionRecordSchema } from '@qwen/protocol';
import { openSessionFile } from './log-file.js';
import { parseObject } from './recover-objects.js';

/** What lists and `--continue` show of a session, without reading all of it. */
export interface SessionSummary {
  readonly sessionId: string;
  /** The workspace in which it began. */
  readonly cwd: string;
  /** ISO time. */
  readonly createdAt: string;
  /** Epoch milliseconds of the last record. */
  readonly modifiedAtMs: number;
  readonly forkedFrom?: string;
}

const SUFFIX = '.jsonl';
/** A header is one short line; a folder path is its only long member. */
const HEADER_BYTES = 16 * 1024;

type Header = Extract<SessionRecord, { readonly type: 'session' }>;

/** The sessions of a folder, the one used last first. A folder that is not there holds none. */
export async function* listSessions(directory: string): AsyncGenerator<SessionSummary> {
  const names = await readdir(directory).catch(() => []);
  const files = await Promise.all(
    names.filter((name) => name.endsWith(SUFFIX)).map((name) => withTime(join(directory, name))),
  );
  const newestFirst = files.filter((file) => file !== undefined).toSorted((left, right) => right.atMs - left.atMs);
  for (const { path, atMs } of newestFirst) {
    const header = await readHeader(path);
    if (header === undefined) continue;
    yield {
      sessionId: header.session_id,
      cwd: header.cwd,
      createdAt: header.created_at,
      modifiedAtMs: atMs,
      ...(header.forked_from !== undefined && { forkedFrom: header.forked_from }),
    };
  }
}

async function withTime(path: string): Promise<{ path: string; atMs: number } | undefined> {
  try {
    return { path, atMs: (await lstat(path)).mtimeMs };
  } catch {
    return undefined;
  }
}

/** The header; undefined for a file that has none or cannot be read. */
async function readHeader(path: string): Promise<Header | undefined> {
  try {
    await using handle = await openSessionFile(path, 'read');
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    const [line = ''] = buffer.toString('utf8', 0, bytesRead).split('\n', 1);
    const parsed = sessionRecordSchema.safeParse(parseObject(line));
    return parsed.success && parsed.data.type === 'session' ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
