import { join } from 'node:path';
import { readOptionalFile } from '../files/private-file.js';
import { changeSettings } from './settings-lock.js';
import { writeSettings } from './write-settings.js';

/** Where the settings of the user stand. */
export interface UserSettingsPlace {
  /** Absolute path of the folder of qwen itself. */
  readonly qwenHome: string;
}

/**
 * Writes one member of the user's settings file, such as `['ui', 'theme']`; `undefined` takes it out. All else that the
 * file says stays byte for byte, comments too; a file that is not there yet is made, 0600. Changes of several processes
 * come one after the other, and a reader sees the old file or the new one. Rejects with `invalid_settings` for a file
 * that is not understood, or that this value would make so, which stays as it is; with `storage_unwritable`.
 */
export async function saveUserSetting(
  path: readonly string[],
  value: unknown,
  { qwenHome }: UserSettingsPlace,
): Promise<void> {
  const file = join(qwenHome, 'settings.json');
  const [{ editSettingsText }, { parseSettings }] = await Promise.all([
    import('./edit-settings-text.js'),
    import('./settings-file.js'),
  ]);
  await changeSettings(qwenHome, async () => {
    const before = (await readOptionalFile(file)) ?? '';
    const after = editSettingsText(file, before, { path, value });
    const source = { origin: 'user', path: file } as const;
    // What could not be read again must not be written: it would stop every start.
    await parseSettings(source, after);
    await writeSettings(source, after);
  });
}
