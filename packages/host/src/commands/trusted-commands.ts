import { realpathSync } from 'node:fs';
import type { Configuration } from '../config/load-config.js';
import { listTrusted } from '../config/trust.js';

export function isCommandFolderTrusted(
  configuration: Pick<Configuration, 'cwd' | 'configDir' | 'readsProjectInstructions' | 'trustsProject'>,
): boolean {
  const { cwd, configDir, readsProjectInstructions, trustsProject } = configuration;
  if (!readsProjectInstructions) return false;
  return trustsProject || isTrustedFolder(configDir, cwd);
}

/** Whether the user trusts this folder. An unreadable list trusts nothing; the settings report the problem. */
export function isTrustedFolder(configDir: string, folder: string): boolean {
  try {
    const realPath = realpathSync(folder);
    return listTrusted(configDir).some((one) => one.folder === realPath && !one.hasOwnSettingsOnly);
  } catch {
    return false;
  }
}
