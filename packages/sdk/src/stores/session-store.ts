import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { AgentError, isJsonObject } from '@qwen/protocol';

/** A transcript in a {@link SessionStore}. */
export interface SessionKey {
  /** The workspace folder, with `-` for everything but letters and digits. */
  projectKey: string;
  sessionId: string;
  /** Undefined: the main transcript. The SDK uses no other: subagents are part of it. */
  subpath?: string;
}

/** One line of a transcript, which a store returns unchanged. `uuid` is the same if an entry is sent again. */
export interface SessionStoreEntry {
  type: string;
  uuid?: string;
  timestamp?: string;
  [member: string]: unknown;
}

/** When entries are sent to a store: about every 100 ms and at the end of each turn, or with every message. */
export type SessionStoreFlush = 'batched' | 'eager';

/**
 * Stores the sessions of apps that run on several machines, or on machines without a permanent disk. `sessionStore` in
 * the options of a query uses it; `@qwen/sdk/stores` has stores for files, SQLite and Redis.
 */
export interface SessionStore {
  /**
   * Adds entries to a transcript, in the order of the calls. An entry with a known `uuid` is a repetition: skip it.
   * After three rejections, the query yields a `mirror_error` and sends the entries again at the end of the turn.
   */
  append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void>;
  /** All entries of a transcript in order; null if there are none. */
  load(key: SessionKey): Promise<SessionStoreEntry[] | null>;
  /** The sessions of a project; `mtime` in milliseconds since 1970. `continue` and `listSessions()` need it. */
  listSessions?(projectKey: string): Promise<{ sessionId: string; mtime: number }[]>;
  /** Deletes a transcript; without `subpath`, the whole session. Missing: `deleteSession()` does nothing. */
  delete?(key: SessionKey): Promise<void>;
  /** The `subpath`s of a session. */
  listSubkeys?(key: { projectKey: string; sessionId: string }): Promise<string[]>;
}

/** Throws `storage_damaged`. */
export function parseEntry(text: string): SessionStoreEntry {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value) || typeof value['type'] !== 'string') {
    throw new AgentError(
      'storage_damaged',
      `An entry of the session store is not an object with a type: ${text.slice(0, 80)}`,
    );
  }
  return { ...value, type: value['type'] };
}

const LONGEST_KEY = 200;

/** The project key of a folder, which is the same on every machine that has the folder at the same path. */
export function toProjectKey(cwd: string): string {
  const path = realPath(resolve(cwd));
  const key = path.replaceAll(/[^a-zA-Z0-9]/g, '-');
  return key.length <= LONGEST_KEY ? key : `${key.slice(0, LONGEST_KEY)}-${hash(path)}`;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function hash(text: string): string {
  let sum = 0;
  for (const unit of text) sum = (Math.imul(sum, 31) + (unit.codePointAt(0) ?? 0)) | 0;
  return Math.abs(sum).toString(36);
}
