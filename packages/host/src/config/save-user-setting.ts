import { join } from 'node:path';
import { isJsonObject } from '@qwen/protocol';
import { readOptionalFile } from '../files/private-file.js';
import { withSettingsLock } from './settings-lock.js';
import { writeSettings } from './write-settings.js';

export interface UserSettingsTarget {
  readonly configDir: string;
}

/**
 * Writes or removes one member, such as `['ui', 'theme']`; the rest stays byte for byte. A new file has mode 0600.
 * Safe across processes. Rejects with `invalid_settings`.
 */
export async function saveUserSetting(
  path: readonly string[],
  value: unknown,
  { configDir }: UserSettingsTarget,
): Promise<void> {
  const file = join(configDir, 'settings.json');
  const [{ editSettingsText }, { parseJson, parseSettings, withoutMark }] = await Promise.all([
    import('./edit-settings-text.js'),
    import('./settings-file.js'),
  ]);
  await withSettingsLock(configDir, async () => {
    const before = (await readOptionalFile(file)) ?? '';
    const json = before.trim() === '' ? {} : await parseJson(file, withoutMark(before));
    // qwen-code has an object there.
    const isObject = isJsonObject(json) && path.length === 1 && path[0] === 'model' && isJsonObject(json['model']);
    const after = editSettingsText(file, before, { path: isObject ? ['model', 'name'] : path, value });
    const source = { origin: 'user', path: file } as const;
    // A file that cannot be read back would stop every start.
    await parseSettings(source, after);
    await writeSettings(source, after);
  });
}
