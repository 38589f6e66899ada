import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { AgentError, type Settings } from '@qwen/protocol';
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
  const readFile = readOnce();
  const read = files.map((file) => ({ ...file, settings: readFile(file.path) }));
  const needsTrust = agentFolder !== undefined || read.some(({ origin }) => origin !== 'user');
  const trust = needsTrust ? findTrust(readProject(found, readFile), sources) : 'untrusted';
  const fromFiles = read.map((layer) => ({ ...layer, trusted: layer.origin === 'user' || trust === 'trusted' }));
  return {
    layers: [...fromFiles, ...readFlagLayer(sources)],
    projectFolder,
    trust,
    ...(agentFolder !== undefined && { agentFolder }),
  };
}

function findTrust(project: Project, { qwenHome, flags }: SettingsSources): SettingsLayers['trust'] {
  if (flags.safeMode === true) return 'skipped';
  return flags.trustProject === true ? 'trusted' : projectTrust(qwenHome, project);
}

/** The project as it shows itself now, for a decision about trust. Throws `invalid_settings`. */
export function readProject({ projectFolder, projectFiles }: SettingsFiles, readFile = readSettingsFile): Project {
  return { folder: projectFolder, settings: projectFiles.map(({ path }) => readFile(path)) };
}

/** What is judged must be what counts, whoever changes a file meanwhile. */
function readOnce(): typeof readSettingsFile {
  const known = new Map<string, Settings>();
  return (path) => {
    const settings = known.get(path) ?? readSettingsFile(path);
    known.set(path, settings);
    return settings;
  };
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
