import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createFileStore, type FileStore, isSessionId } from '@qwen/agent/node';
import { AgentError } from '@qwen/protocol';
import type { Configuration } from './config/load-config.js';
import { Transcripts } from './sessions/qwen-code/transcript-files.js';

export interface SessionStore extends FileStore {
  /** Whether `open` finds the session. */
  has(sessionId: string): boolean;
}

type StoreConfiguration = Pick<Configuration, 'sessionsDirectory'>;

/** The sessions of this user. Opens no file before it is used. */
export function openStore(configuration: StoreConfiguration): SessionStore {
  const { sessionsDirectory } = configuration;
  const own = createFileStore({ directory: sessionsDirectory });
  const isOwn = (sessionId: string): boolean =>
    isSessionId(sessionId) && existsSync(sessionFile(configuration, sessionId));
  // qwen-code has its sessions there. Most starts create a session, which needs only their names.
  const projects = join(dirname(sessionsDirectory), 'projects');
  if (!existsSync(projects)) return { ...own, has: isOwn };
  const transcripts = new Transcripts(projects);
  const refuseStored = (sessionId: string): void => {
    if (transcripts.find(sessionId) === undefined) return;
    throw new AgentError('session_exists', `The session ${sessionId} already exists.`, { data: { sessionId } });
  };
  let loaded: Promise<Omit<FileStore, 'create' | 'import'>> | undefined;
  const both = () => {
    loaded ??= import('./sessions/qwen-code/store.js').then((module) => module.withQwenCodeSessions(sessionsDirectory));
    return loaded;
  };
  return {
    has: (sessionId) => isOwn(sessionId) || transcripts.find(sessionId) !== undefined,
    create: async (session) => {
      refuseStored(session.sessionId);
      return own.create(session);
    },
    import: async (session, source) => {
      refuseStored(session.sessionId);
      return own.import(session, source);
    },
    open: async (...words) => (await both()).open(...words),
    fork: async (sourceId, session, options) => {
      refuseStored(session.sessionId);
      return (await both()).fork(sourceId, session, options);
    },
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

export function sessionFile({ sessionsDirectory }: StoreConfiguration, sessionId: string): string {
  return join(sessionsDirectory, `${sessionId}.jsonl`);
}
