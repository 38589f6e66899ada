import { realpath } from 'node:fs/promises';
import { replaceFile } from '../files/private-file.js';
import type { SettingsSource } from './settings-file.js';

/** Keeps a user's symlink and replaces a project's, which may lead anywhere. Rejects with `storage_unwritable`. */
export async function writeSettings({ path, origin }: SettingsSource, text: string): Promise<void> {
  // Private, except for files that a repository shares.
  const mode = origin === 'project' ? 0o644 : 0o600;
  const target = origin === 'user' ? await realpath(path).catch(() => path) : path;
  await replaceFile(target, text, { mode });
}
