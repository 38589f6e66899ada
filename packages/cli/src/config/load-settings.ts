import { type EffectiveSettings, NO_SETTINGS } from './settings.js';
import { findSettingsFiles, type SettingsSources } from './settings-files.js';

/**
 * Reads the settings of the user, the project and the command line; each of them may be missing. A file that is there
 * but is not understood stops the start, because the rules that it holds are not known (S51): rejects with
 * `invalid_settings`, and with `usage` for bad flags.
 */
export async function loadSettings(sources: SettingsSources): Promise<EffectiveSettings> {
  const found = findSettingsFiles(sources);
  const hasAgents = found.readsAgents && found.agentFolder !== undefined;
  if (found.files.length === 0 && !hasAgents && sources.flags.settings === undefined) return NO_SETTINGS;
  // Schemas and hashes load only for who has settings: the first line waits for this.
  const { readLayers } = await import('./settings-layers.js');
  const { mergeSettings } = await import('./merge-settings.js');
  return mergeSettings(await readLayers(found, sources));
}
