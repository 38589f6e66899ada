import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createFileStore, type FileStore } from '@qwen/agent/node';
import type { Configuration } from './config/load-config.js';

/** The sessions of this user. Opens no file before it is used. */
export function openStore({ sessionsDirectory }: Pick<Configuration, 'sessionsDirectory'>): FileStore {
  const own = createFileStore({ directory: sessionsDirectory });
  // qwen-code has its sessions there. Most starts create a session, which needs nothing of it.
  if (!existsSync(join(dirname(sessionsDirectory), 'projects'))) return own;
  let loaded: Promise<FileStore> | undefined;
  const both = (): Promise<FileStore> => {
    loaded ??= import('./sessions/qwen-code/store.js').then((module) => module.withQwenCodeSessions(sessionsDirectory));
    return loaded;
  };
  return {
    create: (session) => own.create(session),
    import: (session, source) => own.import(session, source),
    open: async (...words) => (await both()).open(...words),
    fork: async (...words) => (await both()).fork(...words),
    latest: async (cwd) => (await both()).latest(cwd),
    list: async (query) => (await both()).list(query),
    summary: async (sessionId) => (await both()).summary(sessionId),
    messages: async (...words) => (await both()).messages(...words),
    read: async (...words) => (await both()).read(...words),
    rename: async (...words) => (await both()).rename(...words),
    delete: async (sessionId) => (await both()).delete(sessionId),
  };
}

/** The session that `--continue` resumes. Loads only the store: the first output line waits for it. */
export function latestSession(configuration: Configuration): Promise<string | undefined> {
  return openStore(configuration).latest(configuration.cwd);
}

/** Path of a session's records. */
export function sessionFile({ sessionsDirectory }: Configuration, sessionId: string): string {
  return join(sessionsDirectory, `${sessionId}.jsonl`);
}
