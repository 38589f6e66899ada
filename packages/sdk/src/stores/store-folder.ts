import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentError, isJsonObject, messageOf } from '@qwen/protocol';
import type { SessionKey, SessionStore, SessionStoreEntry } from './session-store.js';

export const DEFAULT_STORE_LIMIT_MS = 60_000;

export interface StoreCall<T> {
  readonly limitMs: number;
  readonly name: 'append' | 'load' | 'listSessions' | 'delete';
  readonly run: () => Promise<T>;
}

/** Rejects with `timeout`, or `storage_unreachable` with the store's error as the cause. */
export async function callStore<T>({ limitMs, name, run }: StoreCall<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    const message = `sessionStore.${name}() did not finish within ${limitMs} ms.`;
    if (limitMs < Infinity) timer = setTimeout(() => reject(new AgentError('timeout', message)), limitMs);
  });
  try {
    return await Promise.race([Promise.resolve().then(run), expired]);
  } catch (thrown) {
    if (AgentError.is(thrown)) throw thrown;
    const why = messageOf(thrown);
    throw new AgentError('storage_unreachable', `sessionStore.${name}() failed: ${why}`, { cause: thrown });
  } finally {
    clearTimeout(timer);
  }
}

export interface StoredSize {
  readonly bytes: number;
  readonly lines: number;
}

/** A private folder with the session files of one CLI. The caller deletes it. */
export class StoreFolder {
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
  }

  /** Rejects with `storage_unwritable`. */
  static async create(): Promise<StoreFolder> {
    try {
      const folder = new StoreFolder(await mkdtemp(join(tmpdir(), 'qwen-sessions-')));
      await chmod(folder.#root, 0o700);
      await mkdir(folder.sessions, { mode: 0o700 });
      return folder;
    } catch (thrown) {
      const message = `Could not create a folder in ${tmpdir()}. Set TMPDIR to a folder that this process can write.`;
      throw new AgentError('storage_unwritable', message, { cause: thrown });
    }
  }

  get sessions(): string {
    return join(this.#root, 'sessions');
  }

  get flag(): string {
    return `--sessions-dir=${this.sessions}`;
  }

  pathOf(sessionId: string): string {
    return join(this.sessions, `${sessionId}.jsonl`);
  }

  /** Resolves with the size. Rejects with `session_not_found`, `storage_damaged` and errors of the store. */
  async write(store: SessionStore, key: SessionKey, limitMs: number): Promise<StoredSize> {
    const entries = await callStore({ name: 'load', limitMs, run: () => store.load(key) });
    if (entries === null || entries.length === 0) {
      const message = `The session store has no session ${key.sessionId} with the project key ${key.projectKey}.`;
      throw new AgentError('session_not_found', message, { data: { ...key } });
    }
    const unknown = entries.findIndex((entry) => !isJsonObject(entry) || typeof entry['type'] !== 'string');
    if (unknown >= 0 || entries[0]?.type !== 'session') {
      const message = `Entry ${Math.max(unknown, 0)} of session ${key.sessionId} in the session store was not written by qwen.`;
      throw new AgentError('storage_damaged', message, { data: { ...key } });
    }
    const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    await writeFile(this.pathOf(key.sessionId), text, { flag: 'wx', mode: 0o600 });
    return { bytes: Buffer.byteLength(text), lines: entries.length };
  }

  /** Never rejects. */
  async delete(): Promise<void> {
    await rm(this.#root, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** A line of a session file as an entry, whose id depends on nothing but the line and its place; undefined if damaged. */
export function toEntry(line: string, place: number): SessionStoreEntry | undefined {
  let record: unknown;
  try {
    record = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isJsonObject(record)) return undefined;
  const { type, uuid, at, created_at: createdAt, timestamp } = record;
  if (typeof type !== 'string') return undefined;
  const time = [timestamp, at, createdAt].find((value) => typeof value === 'string');
  const id = typeof uuid === 'string' ? uuid : toUuid(`${place}\n${line}`);
  return { ...record, type, uuid: id, ...(time !== undefined && { timestamp: time }) };
}

function toUuid(text: string): string {
  const digits = createHash('sha256').update(text).digest('hex').slice(0, 32).split('');
  digits[12] = '8';
  digits[16] = '8';
  const hex = digits.join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
