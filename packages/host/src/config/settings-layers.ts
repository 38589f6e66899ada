import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { AgentError } from '@qwen/protocol';
import { type AgentTexts, readAgentTexts } from '../agents/agent-texts.js';
import type { SettingsLayer } from './settings.js';
import { type ReadSettings, readSettings, readSettingsFile } from './settings-file.js';
import { readsProject, type SettingsFiles, type SettingsSources } from './settings-files.js';
import { type Project, type ProjectTrust, projectTrust } from './trust.js';

export interface SettingsLayers {
  readonly layers: readonly SettingsLayer[];
  readonly projectFolder: string;
  readonly agents?: AgentTexts;
  /** `skipped`: nothing of the project is read. */
  readonly trust: ProjectTrust | 'skipped';
}

/** Rejects with `invalid_settings` and `usage`. */
export async function readLayers(found: SettingsFiles, sources: SettingsSources): Promise<SettingsLayers> {
  const { files, projectFolder, readsAgents, agentFolder } = found;
  const readFile = readOnce();
  const read = await Promise.all(files.map(async (file) => ({ ...file, ...(await readFile(file)) })));
  const hasAgents = readsAgents && agentFolder !== undefined;
  // Not opened when nothing of it is read: it may be broken.
  const project = readsProject(found) ? await readProject(found, readFile) : undefined;
  const trust = project === undefined ? 'untrusted' : findTrust(project, sources);
  const agents = hasAgents ? project?.agents : undefined;
  const counts = trust === 'trusted';
  const fromFiles = await Promise.all(
    read.map(async (layer) => {
      const trusted = layer.origin === 'user' || counts;
      if (layer.origin === 'user' || layer.foreign === undefined || !trusted) return { ...layer, trusted };
      const { withServerVariables } = await import('./qwen-code/read-foreign.js');
      return { ...layer, trusted, settings: withServerVariables(layer.settings) };
    }),
  );
  return {
    layers: [...fromFiles, ...(await readFlagLayer(sources))],
    projectFolder,
    trust,
    ...(agents !== undefined && { agents }),
  };
}

function findTrust(project: Project, { configDir, flags }: SettingsSources): SettingsLayers['trust'] {
  if (flags.safeMode === true) return 'skipped';
  return flags.trustProject === true ? 'trusted' : projectTrust(configDir, project);
}

/** Rejects with `invalid_settings`. */
export async function readProject(found: SettingsFiles, readFile = readSettingsFile): Promise<Project> {
  const { projectFolder, projectFiles, agentFolder, skillFolders } = found;
  return {
    folder: projectFolder,
    skillFolders,
    settings: await Promise.all(projectFiles.map(async (file) => (await readFile(file)).settings)),
    ...(agentFolder !== undefined && { agents: readAgentTexts(agentFolder) }),
  };
}

/** The checked text is the one that is used. */
function readOnce(): typeof readSettingsFile {
  const known = new Map<string, Promise<ReadSettings>>();
  return (source) => {
    const read = known.get(source.path) ?? readSettingsFile(source);
    known.set(source.path, read);
    return read;
  };
}

async function readFlagLayer({ cwd, flags: { settings: given } }: SettingsSources): Promise<SettingsLayer[]> {
  if (given === undefined) return [];
  if (given.trimStart().startsWith('{')) {
    const source = { origin: 'flag', path: '--settings' } as const;
    return [{ ...source, ...(await readSettings(source, given)), trusted: true }];
  }
  const source = { origin: 'flag', path: resolve(cwd, given) } as const;
  if (!existsSync(source.path)) throw new AgentError('usage', `--settings: there is no file ${source.path}`);
  return [{ ...source, ...(await readSettingsFile(source)), trusted: true }];
}
