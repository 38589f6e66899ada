import { type EffectiveSettings, NO_SETTINGS, type SettingsLayer, type SettingsNotice } from './settings.js';
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
  const read = await readLayers(found, sources);
  const settings = mergeSettings(read);
  const unknown = await findUnknown(read.layers);
  return unknown.length === 0 ? settings : { ...settings, notices: [...settings.notices, ...unknown] };
}

/** What a project says that nobody trusts is not repeated to anybody. */
async function findUnknown(layers: readonly SettingsLayer[]): Promise<SettingsNotice[]> {
  const { findUnknownSettings } = await import('./unknown-settings.js');
  const found = layers
    .filter(({ trusted }) => trusted)
    .map((layer) => ({ layer, unknown: findUnknownSettings(layer.settings) }))
    .filter(({ unknown }) => unknown.length > 0);
  if (found.length === 0) return [];
  const { unknownNotice } = await import('./unknown-notice.js');
  return found.map(({ layer, unknown }) => unknownNotice(layer, unknown));
}
