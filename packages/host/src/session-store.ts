import { join } from 'node:path';
import { createFileStore, type FileStore } from '@qwen/agent/node';
import type { Configuration } from './config/load-config.js';

/** The sessions of this user. Opens no file before it is used. */
export function openStore({ sessionsDirectory }: Configuration): FileStore {
  return createFileStore({ directory: sessionsDirectory });
}

/** The session that `--continue` resumes. Loads only the store: the first output line waits for it. */
export function latestSession(configuration: Configuration): Promise<string | undefined> {
  return openStore(configuration).latest(configuration.cwd);
}

/** Path of a session's records. */
export function sessionFile({ sessionsDirectory }: Configuration, sessionId: string): string {
  return join(sessionsDirectory, `${sessionId}.jsonl`);
}
