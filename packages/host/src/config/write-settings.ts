import { realpath } from 'node:fs/promises';
import { replaceFile } from '../files/private-file.js';
import type { SettingsSource } from './settings-file.js';

/**
 * Puts new text in the place of a settings file. A link to it that the user made, as keepers of dot files do, stays one;
 * a link in a project is replaced, for it may lead anywhere. Rejects with `storage_unwritable`.
 */
export async function writeSettings({ path, origin }: SettingsSource, text: string): Promise<void> {
  // Of the user alone, but for what a repository shares.
  const mode = origin === 'project' ? 0o644 : 0o600;
  const target = origin === 'user' ? await realpath(path).catch(() => path) : path;
  await replaceFile(target, text, { mode });
}
