import { realpathSync } from 'node:fs';
import type { Configuration } from '../config/load-config.js';
import { listTrusted } from '../config/trust.js';

/** Whether the command files of the project count: only where its folder is trusted, and never in safe mode (S53). */
export function isCommandFolderTrusted(configuration: Configuration): boolean {
  const { cwd, qwenHome, readsProjectInstructions, trustsProject } = configuration;
  if (!readsProjectInstructions) return false;
  if (trustsProject) return true;
  try {
    const folder = realpathSync(cwd);
    return listTrusted(qwenHome).some((one) => one.folder === folder);
  } catch {
    // A list that cannot be read trusts nobody; the settings tell what is wrong with it.
    return false;
  }
}
