import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Environment } from './env.js';

/** Where the sessions stand in it. */
export function sessionsFolder(qwenHome: string): string {
  return join(qwenHome, 'sessions');
}

/** Absolute path of the folder that is ours: settings, sessions, tokens. */
export function findQwenHome(environment: Environment, cwd: string): string {
  return resolve(cwd, environment.QWEN_HOME ?? join(homedir(), '.qwen'));
}
