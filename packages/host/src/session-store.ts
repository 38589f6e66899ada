import { join } from 'node:path';
import { createFileStore, type FileStore } from '@qwen/agent/node';
import type { Configuration } from './config/load-config.js';

/** The sessions of this user. Touches no file before it is used. */
export function openStore({ sessionsDirectory }: Configuration): FileStore {
  return createFileStore({ directory: sessionsDirectory });
}

/** The session that `--continue` means. Loads nothing but the store: the first line may wait for it. */
export function latestSession(configuration: Configuration): Promise<string | undefined> {
  return openStore(configuration).latest(configuration.cwd);
}

/** Where the records of a session stand. */
export function sessionFile({ sessionsDirectory }: Configuration, sessionId: string): string {
  return join(sessionsDirectory, `${sessionId}.jsonl`);
}
