import { loadAgents } from '../agents/load-agents.js';
import type { Flags } from '../flags/args.js';
import { loadSkills } from '../skills/load-skills.js';
import type { ConfigurationSources } from './load-config.js';
import { loadSettings } from './load-settings.js';
import type { SettingsSources } from './settings-files.js';

type Files = Pick<ConfigurationSources, 'settings' | 'agentFiles' | 'skillFiles'>;

/** Reads the settings, agents and skills of the user and the project. Rejects with `invalid_settings` and `usage`. */
export async function loadFiles(sources: SettingsSources & { readonly flags: Flags }): Promise<Files> {
  const settings = await loadSettings(sources);
  const agentFiles = await loadAgents({ ...sources, settings });
  const skillFiles = await loadSkills({ ...sources, settings });
  return { settings, agentFiles, skillFiles };
}
