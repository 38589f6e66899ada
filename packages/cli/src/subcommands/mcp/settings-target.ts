import { join } from 'node:path';
import { findConfigDir } from '@qwen/host/config/config-dir.js';
import { findSettingsFiles } from '@qwen/host/config/settings-files.js';
import type { SubcommandOptions } from '../subcommand.js';
import type { SCOPES } from './spec.js';

export interface SettingsTarget {
  readonly scope: (typeof SCOPES)[number];
  readonly configDir: string;
  readonly path: string;
}

export function settingsTarget(
  scope: SettingsTarget['scope'],
  { environment, cwd }: Pick<SubcommandOptions, 'environment' | 'cwd'>,
): SettingsTarget {
  const configDir = findConfigDir(environment, cwd);
  if (scope === 'user') return { scope, configDir, path: join(configDir, 'settings.json') };
  const { projectFolder } = findSettingsFiles({ configDir, cwd, flags: {} });
  const name = scope === 'project' ? 'settings.json' : 'settings.local.json';
  return { scope, configDir, path: join(projectFolder, '.qwen', name) };
}
