import type { SessionKey, SessionStore, SessionStoreEntry } from './session-store.js';

interface Transcript {
  readonly key: SessionKey;
  readonly entries: SessionStoreEntry[];
  readonly ids: Set<string>;
  mtime: number;
}

/**
 * A session store in memory, for tests and development.
 *
 * @example
 * import { InMemorySessionStore, query } from '@qwen/sdk';
 *
 * const sessionStore = new InMemorySessionStore();
 * for await (const message of query({ prompt: 'Remember: 42', options: { sessionStore } })) console.log(message);
 * for await (const message of query({ prompt: 'Which number?', options: { sessionStore, continue: true } })) {
 *   console.log(message);
 * }
 */
export class InMemorySessionStore implements SessionStore {
  readonly #transcripts = new Map<string, Transcript>();
  #lastTime = 0;

  append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void> {
    const id = idOf(key);
    const transcript = this.#transcripts.get(id) ?? { key: { ...key }, entries: [], ids: new Set(), mtime: 0 };
    this.#transcripts.set(id, transcript);
    for (const entry of entries) {
      if (entry.uuid !== undefined && transcript.ids.has(entry.uuid)) continue;
      if (entry.uuid !== undefined) transcript.ids.add(entry.uuid);
      transcript.entries.push(structuredClone(entry));
    }
    this.#lastTime = Math.max(Date.now(), this.#lastTime + 1);
    transcript.mtime = this.#lastTime;
    return Promise.resolve();
  }

  load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    const transcript = this.#transcripts.get(idOf(key));
    return Promise.resolve(transcript === undefined ? null : structuredClone(transcript.entries));
  }

  listSessions(projectKey: string): Promise<{ sessionId: string; mtime: number }[]> {
    const found = [...this.#transcripts.values()].filter(
      ({ key }) => key.projectKey === projectKey && key.subpath === undefined,
    );
    return Promise.resolve(found.map(({ key, mtime }) => ({ sessionId: key.sessionId, mtime })));
  }

  delete(key: SessionKey): Promise<void> {
    for (const [id, transcript] of this.#transcripts) if (isWithin(transcript.key, key)) this.#transcripts.delete(id);
    return Promise.resolve();
  }

  listSubkeys({ projectKey, sessionId }: { projectKey: string; sessionId: string }): Promise<string[]> {
    const all = [...this.#transcripts.values()].filter(({ key }) => isWithin(key, { projectKey, sessionId }));
    return Promise.resolve(all.flatMap(({ key }) => key.subpath ?? []));
  }

  getEntries(key: SessionKey): SessionStoreEntry[] {
    return structuredClone(this.#transcripts.get(idOf(key))?.entries ?? []);
  }

  get size(): number {
    return [...this.#transcripts.values()].filter(({ key }) => key.subpath === undefined).length;
  }

  clear(): void {
    this.#transcripts.clear();
  }
}

function idOf({ projectKey, sessionId, subpath }: SessionKey): string {
  return JSON.stringify([projectKey, sessionId, subpath ?? null]);
}

function isWithin(key: SessionKey, { projectKey, sessionId, subpath }: SessionKey): boolean {
  return (
    key.projectKey === projectKey && key.sessionId === sessionId && (subpath === undefined || key.subpath === subpath)
  );
}
