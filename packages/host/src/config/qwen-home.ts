import { homedir } from 'node:os';
import { join, type PlatformPath, resolve } from 'node:path';
import type { Environment } from './env.js';

/** The rules for paths of a system; those of this one, or of another in tests. */
export type PathRules = Pick<PlatformPath, 'join' | 'resolve'>;

/** The system whose paths are meant. */
export interface PathWorld {
  readonly rules: PathRules;
  /** The home folder of the user. */
  readonly home: string;
}

/** Where the sessions stand in it. */
export function sessionsFolder(qwenHome: string, rules: PathRules = { join, resolve }): string {
  return rules.join(qwenHome, 'sessions');
}

/** Absolute path of the folder that is ours: settings, sessions, tokens. Default of the world: this machine. */
export function findQwenHome(environment: Environment, cwd: string, world?: PathWorld): string {
  const { rules, home } = world ?? { rules: { join, resolve }, home: homedir() };
  return rules.resolve(cwd, environment.QWEN_HOME ?? rules.join(home, '.qwen'));
}
