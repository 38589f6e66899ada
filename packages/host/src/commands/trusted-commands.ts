import { realpathSync } from 'node:fs';
import type { Configuration } from '../config/load-config.js';
import { listTrusted } from '../config/trust.js';

export function isCommandFolderTrusted(
  configuration: Pick<Configuration, 'cwd' | 'configDir' | 'readsProjectInstructions' | 'trustsProject'>,
): boolean {
  const { cwd, configDir, readsProjectInstructions, trustsProject } = configuration;
  if (!readsProjectInstructions) return false;
  if (trustsProject) return true;
  try {
    const folder = realpathSync(cwd);
    return listTrusted(configDir).some((one) => one.folder === folder && !one.hasOwnSettingsOnly);
  } catch {
    // An unreadable list trusts nothing; the settings report the problem.
    return false;
  }
}
