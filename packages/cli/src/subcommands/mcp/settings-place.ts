import { join } from 'node:path';
import { findQwenHome } from '../../config/qwen-home.js';
import { findSettingsFiles } from '../../config/settings-files.js';
import type { SubcommandOptions } from '../subcommand.js';
import type { SCOPES } from './spec.js';

/** Where a server is written down. */
export interface SettingsPlace {
  readonly scope: (typeof SCOPES)[number];
  /** Absolute path of the folder of qwen itself. */
  readonly qwenHome: string;
  /** Absolute. */
  readonly path: string;
  /** Of the file: what a user says is private, what a project says is shared. */
  readonly mode: number;
}

/** The settings file of a scope. */
export function settingsPlace(
  scope: SettingsPlace['scope'],
  { environment, cwd }: Pick<SubcommandOptions, 'environment' | 'cwd'>,
): SettingsPlace {
  const qwenHome = findQwenHome(environment, cwd);
  if (scope === 'user') return { scope, qwenHome, path: join(qwenHome, 'settings.json'), mode: 0o600 };
  const { projectFolder } = findSettingsFiles({ qwenHome, cwd, flags: {} });
  const folder = join(projectFolder, '.qwen');
  return scope === 'project'
    ? { scope, qwenHome, path: join(folder, 'settings.json'), mode: 0o644 }
    : { scope, qwenHome, path: join(folder, 'settings.local.json'), mode: 0o600 };
}
