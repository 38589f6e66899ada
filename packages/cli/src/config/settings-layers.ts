import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { AgentError } from '@qwen/protocol';
import type { SettingsLayer } from './settings.js';
import { parseSettings, readSettingsFile } from './settings-file.js';
import type { SettingsFiles, SettingsSources } from './settings-files.js';
import { type ProjectTrust, projectTrust } from './trust.js';

/** All layers, and what is known of the project. */
export interface SettingsLayers {
  /** The weakest first. */
  readonly layers: readonly SettingsLayer[];
  readonly projectFolder: string;
  /** `skipped`: nobody wants to hear what the project asks for. */
  readonly trust: ProjectTrust | 'skipped';
}

/** Reads the files and the value of `--settings`. Throws `invalid_settings` and `usage`. */
export function readLayers({ files, projectFolder }: SettingsFiles, sources: SettingsSources): SettingsLayers {
  const read = files.map((file) => ({ ...file, settings: readSettingsFile(file.path) }));
  const asked = read.filter(({ origin }) => origin !== 'user').map(({ settings }) => settings);
  const trust = findTrust({ folder: projectFolder, settings: asked }, sources);
  const fromFiles = read.map((layer) => ({ ...layer, trusted: layer.origin === 'user' || trust === 'trusted' }));
  return { layers: [...fromFiles, ...readFlagLayer(sources)], projectFolder, trust };
}

function findTrust(project: Parameters<typeof projectTrust>[1], sources: SettingsSources): SettingsLayers['trust'] {
  const { qwenHome, flags } = sources;
  if (flags.safeMode === true) return 'skipped';
  if (flags.trustProject === true) return 'trusted';
  return project.settings.length === 0 ? 'untrusted' : projectTrust(qwenHome, project);
}

/** `--settings` takes JSON, or the path of a file that holds it. */
function readFlagLayer({ cwd, flags: { settings: given } }: SettingsSources): SettingsLayer[] {
  if (given === undefined) return [];
  if (given.trimStart().startsWith('{')) {
    return [{ origin: 'flag', path: '--settings', settings: parseSettings('--settings', given), trusted: true }];
  }
  const path = resolve(cwd, given);
  if (!existsSync(path)) throw new AgentError('usage', `--settings: there is no file ${path}`);
  return [{ origin: 'flag', path, settings: readSettingsFile(path), trusted: true }];
}
