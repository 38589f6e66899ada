import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CREDENTIALS_FILE } from './config-dir.js';
import { type EffectiveSettings, NO_SETTINGS, type SettingsLayer, type SettingsNotice } from './settings.js';
import { findSettingsFiles, type SettingsSources } from './settings-files.js';

/**
 * An invalid file prevents the start, because its rules are unknown. Rejects with `invalid_settings`, or `usage` for
 * bad flags.
 */
export async function loadSettings(sources: SettingsSources): Promise<EffectiveSettings> {
  const settings = await addPlugins(await readAllSettings(sources), sources);
  if (!existsSync(join(sources.configDir, CREDENTIALS_FILE))) return settings;
  const { withCredentials } = await import('../credentials/with-credentials.js');
  return withCredentials(settings, sources.configDir);
}

async function readAllSettings(sources: SettingsSources): Promise<EffectiveSettings> {
  const found = findSettingsFiles(sources);
  const hasAgents = found.readsAgents && found.agentFolder !== undefined;
  if (found.files.length === 0 && !hasAgents && sources.flags.settings === undefined) return NO_SETTINGS;
  // Schemas and hashing load only if there are settings: the first output line waits for this.
  const { readLayers } = await import('./settings-layers.js');
  const { mergeSettings } = await import('./merge-settings.js');
  const read = await readLayers(found, sources);
  const settings = mergeSettings(read);
  const unknown = [...(await findUnknown(read.layers)), ...(await findUselessRules(read.layers))];
  return unknown.length === 0 ? settings : { ...settings, notices: [...settings.notices, ...unknown] };
}

async function addPlugins(
  settings: EffectiveSettings,
  { flags, configDir, cwd }: SettingsSources,
): Promise<EffectiveSettings> {
  const ofFlags = (flags.pluginDir ?? []).map((path) => ({ path: resolve(cwd, path), origin: 'flag' as const }));
  const places = [...ofFlags, ...settings.pluginPlaces];
  if (places.length === 0) return settings;
  const { withPlugins } = await import('../plugins/with-plugins.js');
  return withPlugins(settings, { places, configDir, cwd });
}

/** Unknown members of an untrusted project are not reported. */
async function findUnknown(layers: readonly SettingsLayer[]): Promise<SettingsNotice[]> {
  const { findUnknownSettings } = await import('./unknown-settings.js');
  const trusted = layers.filter((layer) => layer.trusted);
  const foreign = trusted.flatMap((layer) => layer.foreign?.notice ?? []);
  const found = trusted
    .filter((layer) => layer.foreign === undefined)
    .map((layer) => ({ layer, unknown: findUnknownSettings(layer.settings) }))
    .filter(({ unknown }) => unknown.length > 0);
  if (found.length === 0) return foreign;
  const { unknownNotice } = await import('./unknown-notice.js');
  return [...foreign, ...found.map(({ layer, unknown }) => unknownNotice(layer, unknown))];
}

/** Rules that restrict count without trust, so their typing mistakes are reported without it too. */
async function findUselessRules(layers: readonly SettingsLayer[]): Promise<SettingsNotice[]> {
  const restricting = layers.filter(({ settings: { permissions } }) => permissions?.deny ?? permissions?.ask);
  if (restricting.length === 0) return [];
  const { findMistypedTools } = await import('./tool-selection.js');
  return restricting.flatMap(({ path, settings: { permissions = {} } }) =>
    findMistypedTools([...(permissions.deny ?? []), ...(permissions.ask ?? [])]).map(({ name, nearest }) => ({
      code: 'unknown_setting',
      message: `${path}: a deny or ask rule has no effect: there is no built-in tool "${name}". Did you mean "${nearest}"?`,
    })),
  );
}
