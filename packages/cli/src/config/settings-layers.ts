import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { AgentError } from '@qwen/protocol';
import type { SettingsLayer } from './settings.js';
import { parseSettings, readSettingsFile } from './settings-file.js';
import type { SettingsFiles, SettingsSources } from './settings-files.js';
import { type Project, type ProjectTrust, projectTrust } from './trust.js';

/** All layers, and what is known of the project. */
export interface SettingsLayers {
  /** The weakest first. */
  readonly layers: readonly SettingsLayer[];
  readonly projectFolder: string;
  /** Where the project has agent files. */
  readonly agentFolder?: string;
  /** `skipped`: nobody wants to hear what the project asks for. */
  readonly trust: ProjectTrust | 'skipped';
}

/** Reads the files and the value of `--settings`. Throws `invalid_settings` and `usage`. */
export function readLayers(found: SettingsFiles, sources: SettingsSources): SettingsLayers {
  const { files, projectFolder, agentFolder } = found;
  const read = files.map((file) => ({ ...file, settings: readSettingsFile(file.path) }));
  const needsTrust = agentFolder !== undefined || read.some(({ origin }) => origin !== 'user');
  const trust = needsTrust ? readTrust(found, sources) : 'untrusted';
  const fromFiles = read.map((layer) => ({ ...layer, trusted: layer.origin === 'user' || trust === 'trusted' }));
  return {
    layers: [...fromFiles, ...readFlagLayer(sources)],
    projectFolder,
    trust,
    ...(agentFolder !== undefined && { agentFolder }),
  };
}

function readTrust(found: SettingsFiles, { qwenHome, flags }: SettingsSources): SettingsLayers['trust'] {
  if (flags.safeMode === true) return 'skipped';
  if (flags.trustProject === true) return 'trusted';
  return projectTrust(qwenHome, readProject(found));
}

/** The project as it shows itself now, for a decision about trust. Throws `invalid_settings`. */
export function readProject({ projectFolder, projectFiles }: SettingsFiles): Project {
  return { folder: projectFolder, settings: projectFiles.map(({ path }) => readSettingsFile(path)) };
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
