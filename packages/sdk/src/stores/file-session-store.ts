import { appendFile, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemCodeOf } from '@qwen/protocol';
import { parseEntry, type SessionKey, type SessionStore, type SessionStoreEntry } from './session-store.js';

const SUFFIX = '.jsonl';

export interface FileSessionStoreOptions {
  /** Created with mode 0700. All hosts need access to it, for example on a network file system. */
  readonly directory: string;
}

/**
 * A session store in files: `<directory>/<project key>/<session id>.jsonl`.
 *
 * @example
 * import { query } from '@qwen/sdk';
 * import { FileSessionStore } from '@qwen/sdk/stores';
 *
 * const sessionStore = new FileSessionStore({ directory: '/mnt/shared/sessions' });
 * for await (const message of query({ prompt: 'Remember: 42', options: { sessionStore } })) console.log(message);
 */
export class FileSessionStore implements SessionStore {
  readonly #directory: string;
  #last: Promise<void> = Promise.resolve();

  constructor({ directory }: FileSessionStoreOptions) {
    this.#directory = directory;
  }

  append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void> {
    const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    const appended = this.#last.then(() => this.#append(this.#pathOf(key), text));
    this.#last = appended.catch(() => undefined);
    return appended;
  }

  async load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    const text = await ifPresent(readFile(this.#pathOf(key), 'utf8'));
    return text === undefined ? null : distinctEntries(text);
  }

  async listSessions(projectKey: string): Promise<{ sessionId: string; mtime: number }[]> {
    const folder = join(this.#directory, toName(projectKey));
    const found = (await listNames(folder)).map(async (sessionId) => {
      const status = await ifPresent(stat(join(folder, toName(sessionId) + SUFFIX)));
      return status === undefined ? [] : [{ sessionId, mtime: Math.floor(status.mtimeMs) }];
    });
    return (await Promise.all(found)).flat();
  }

  async delete(key: SessionKey): Promise<void> {
    await rm(this.#pathOf(key), { force: true });
    if (key.subpath === undefined) await rm(this.#subfolderOf(key), { recursive: true, force: true });
  }

  listSubkeys(key: { projectKey: string; sessionId: string }): Promise<string[]> {
    return listNames(this.#subfolderOf(key));
  }

  async #append(path: string, text: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    // A process that was killed may have left a part of a line.
    const separator = (await endsWithinLine(path)) ? '\n' : '';
    await appendFile(path, separator + text, { mode: 0o600 });
  }

  #pathOf({ projectKey, sessionId, subpath }: SessionKey): string {
    if (subpath !== undefined) return join(this.#subfolderOf({ projectKey, sessionId }), toName(subpath) + SUFFIX);
    return join(this.#directory, toName(projectKey), toName(sessionId) + SUFFIX);
  }

  #subfolderOf({ projectKey, sessionId }: { projectKey: string; sessionId: string }): string {
    return join(this.#directory, toName(projectKey), `${toName(sessionId)}.subkeys`);
  }
}

/** No name leads out of the directory. */
function toName(text: string): string {
  return encodeURIComponent(text).replaceAll('.', '%2E').replaceAll('*', '%2A');
}

/** The names of the transcripts in a folder; other files are ignored. */
async function listNames(folder: string): Promise<string[]> {
  const files = (await ifPresent(readdir(folder))) ?? [];
  return files.flatMap((file) => {
    if (!file.endsWith(SUFFIX)) return [];
    try {
      return [decodeURIComponent(file.slice(0, -SUFFIX.length))];
    } catch {
      return [];
    }
  });
}

function distinctEntries(text: string): SessionStoreEntry[] {
  const ids = new Set<string>();
  return text.split('\n').flatMap((line) => {
    const entry = readEntry(line);
    if (entry === undefined || (entry.uuid !== undefined && ids.has(entry.uuid))) return [];
    if (entry.uuid !== undefined) ids.add(entry.uuid);
    return [entry];
  });
}

function readEntry(line: string): SessionStoreEntry | undefined {
  try {
    return parseEntry(line);
  } catch {
    return undefined;
  }
}

async function endsWithinLine(path: string): Promise<boolean> {
  const file = await ifPresent(open(path, 'r'));
  if (file === undefined) return false;
  try {
    const { size } = await file.stat();
    if (size === 0) return false;
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
    return buffer.toString() !== '\n';
  } finally {
    await file.close();
  }
}

async function ifPresent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (thrown) {
    if (systemCodeOf(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}
