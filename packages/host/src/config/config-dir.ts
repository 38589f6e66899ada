import { homedir } from 'node:os';
import { join, type PlatformPath, resolve } from 'node:path';
import type { Environment } from './env.js';

/** Path functions of one platform; tests pass another one. */
export type PathRules = Pick<PlatformPath, 'join' | 'resolve'>;

/** A platform and its home folder. */
export interface PathWorld {
  readonly rules: PathRules;
  readonly home: string;
}

export function sessionsFolder(configDir: string, rules: PathRules = { join, resolve }): string {
  return rules.join(configDir, 'sessions');
}

/** Absolute path of the configuration folder: settings, sessions, tokens. */
export function findConfigDir(environment: Environment, cwd: string, world?: PathWorld): string {
  const { rules, home } = world ?? { rules: { join, resolve }, home: homedir() };
  return rules.resolve(cwd, environment.QWEN_HOME ?? rules.join(home, '.qwen'));
}
