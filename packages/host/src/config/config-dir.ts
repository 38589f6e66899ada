import { homedir } from 'node:os';
import { join, type PlatformPath, resolve } from 'node:path';
import type { Environment } from './env.js';

/** The keys of `qwen auth login`, in the configuration directory. */
export const CREDENTIALS_FILE = 'credentials.json';

export type PathRules = Pick<PlatformPath, 'join' | 'resolve'>;

export interface PathWorld {
  readonly rules: PathRules;
  readonly home: string;
}

export function sessionsFolder(configDir: string, rules: PathRules = { join, resolve }): string {
  return rules.join(configDir, 'sessions');
}

export function findConfigDir(environment: Environment, cwd: string, world?: PathWorld): string {
  const { rules, home } = world ?? { rules: { join, resolve }, home: homedir() };
  return rules.resolve(cwd, environment.QWEN_HOME ?? rules.join(home, '.qwen'));
}
