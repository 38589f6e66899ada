import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { AgentError } from '@qwen/protocol';
import { agentFileNames } from '../agents/agent-file-names.js';
import type { Flags } from '../flags/args.js';
import { ancestorsOf } from './ancestors.js';

/** Which flags say what settings are read. */
export type SettingsFlags = Pick<Flags, 'settings' | 'settingSources' | 'safeMode' | 'trustProject'>;

export interface SettingsFile {
  readonly origin: 'user' | 'project' | 'local';
  /** Absolute. */
  readonly path: string;
}

/** The settings files that are there. */
export interface SettingsFiles {
  /**
   * The nearest folder whose `.qwen` says something for the project: it is what is trusted. Folders above it up to the
   * root of the repository belong to the project too.
   */
  readonly projectFolder: string;
  /** Where the project has agent files; missing when it has none. */
  readonly agentFolder?: string;
  /** Whether they are to be read. */
  readonly readsAgents: boolean;
  /** Those to read, the weakest first. */
  readonly files: readonly SettingsFile[];
  /** Those of the project, also when they are not to be read: whoever trusts it has seen all of them. */
  readonly projectFiles: readonly SettingsFile[];
}

export interface SettingsSources {
  /** Absolute path of the folder of qwen itself: `$QWEN_HOME`, else `~/.qwen`. */
  readonly qwenHome: string;
  /** Absolute. */
  readonly cwd: string;
  readonly flags: SettingsFlags;
}

const ORIGINS: readonly string[] = ['user', 'project', 'local'] satisfies SettingsFile['origin'][];

/** Looks for settings files without opening one: most starts find none. Throws `usage` for an unknown source. */
export function findSettingsFiles({ qwenHome, cwd, flags: { settingSources } }: SettingsSources): SettingsFiles {
  const strange = settingSources?.find((word) => !ORIGINS.includes(word));
  if (strange !== undefined) {
    throw new AgentError('usage', `--setting-sources: "${strange}" is not one of ${ORIGINS.join(', ')}`);
  }
  // Started at home, the folder of the project is the one of the user.
  const folders = foldersOfProject(cwd).filter((folder) => !isSameFolder(join(folder, '.qwen'), qwenHome));
  const [projectFolder = cwd] = folders;
  const projectFiles = folders.toReversed().flatMap(filesOfProject);
  const userFile: SettingsFile = { origin: 'user', path: join(qwenHome, 'settings.json') };
  const files = [...(isThere(userFile.path) ? [userFile] : []), ...projectFiles].filter(
    ({ origin }) => settingSources?.includes(origin) ?? true,
  );
  const readsAgents = settingSources?.includes('project') ?? true;
  const agentFolder = folders.map((folder) => join(folder, '.qwen', 'agents')).find(hasAgentFiles);
  return { projectFolder, files, projectFiles, readsAgents, ...(agentFolder !== undefined && { agentFolder }) };
}

/**
 * The folders with a `.qwen`, from the working directory up to the root of its git repository; that root when there is
 * none. Outside of a repository it is the working directory alone, for what lies above belongs to somebody else.
 */
function foldersOfProject(cwd: string): readonly string[] {
  const candidates = foldersUpToGitRoot(cwd) ?? [cwd];
  const folders = candidates.filter((folder) => existsSync(join(folder, '.qwen')));
  return folders.length === 0 ? candidates.slice(-1) : folders;
}

function filesOfProject(folder: string): readonly SettingsFile[] {
  const files: readonly SettingsFile[] = [
    { origin: 'project', path: join(folder, '.qwen', 'settings.json') },
    { origin: 'local', path: join(folder, '.qwen', 'settings.local.json') },
  ];
  return files.filter(({ path }) => isThere(path));
}

/** From this folder to the one that holds `.git`; undefined when none does. */
function foldersUpToGitRoot(cwd: string): readonly string[] | undefined {
  const folders = ancestorsOf(cwd);
  const root = folders.findIndex((folder) => existsSync(join(folder, '.git')));
  return root === -1 ? undefined : folders.slice(0, root + 1);
}

function isSameFolder(one: string, other: string): boolean {
  if (one === other) return true;
  return existsSync(one) && existsSync(other) && realpathSync(one) === realpathSync(other);
}

function hasAgentFiles(folder: string): boolean {
  return existsSync(folder) && agentFileNames(folder).length > 0;
}

/** Of the link itself: one that leads nowhere is a file that we cannot read, not a missing one; so is one that hides. */
/** Whether anything of the project is to be read, which then is a matter of trust. */
export function readsProject({ files, readsAgents, agentFolder }: SettingsFiles): boolean {
  return (readsAgents && agentFolder !== undefined) || files.some(({ origin }) => origin !== 'user');
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}
