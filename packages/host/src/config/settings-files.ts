import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { AgentError } from '@qwen/protocol';
import { agentFileNames } from '../agents/agent-file-names.js';
import type { Flags } from '../flags/args.js';
import { ancestorsOf } from './ancestors.js';

export type SettingsFlags = Pick<Flags, 'settings' | 'settingSources' | 'safeMode' | 'trustProject' | 'pluginDir'>;

export interface SettingsFile {
  readonly origin: 'user' | 'project' | 'local';
  readonly path: string;
}

export interface SettingsFiles {
  /**
   * The nearest folder with a `.qwen` folder; trust applies to it. Its ancestors up to the repository root belong to
   * the project too.
   */
  readonly projectFolder: string;
  readonly agentFolder?: string;
  /** Whether agents and skills of the project are read. */
  readonly readsAgents: boolean;
  /** Folders with skills of the project: of this program, of all programs and of Claude Code. The nearest first. */
  readonly skillFolders: readonly string[];
  readonly files: readonly SettingsFile[];
  /** All files of the project, including those not read: trust covers all of them. */
  readonly projectFiles: readonly SettingsFile[];
}

export interface SettingsSources {
  readonly configDir: string;
  readonly cwd: string;
  readonly flags: SettingsFlags;
}

const ORIGINS: readonly string[] = ['user', 'project', 'local'] satisfies SettingsFile['origin'][];

/** Finds settings files without opening them: most starts have none. Throws `usage` for an unknown source. */
export function findSettingsFiles({ configDir, cwd, flags: { settingSources } }: SettingsSources): SettingsFiles {
  const unknown = settingSources?.find((word) => !ORIGINS.includes(word));
  if (unknown !== undefined) {
    throw new AgentError('usage', `--setting-sources: "${unknown}" is not one of ${ORIGINS.join(', ')}`);
  }
  // In the home folder, the project's folder is the user's.
  const folders = foldersOfProject(cwd).filter((folder) => !isSameFolder(join(folder, '.qwen'), configDir));
  const [projectFolder = cwd] = folders;
  const projectFiles = folders.toReversed().flatMap(filesOfProject);
  const userFile: SettingsFile = { origin: 'user', path: join(configDir, 'settings.json') };
  const files = [...(isThere(userFile.path) ? [userFile] : []), ...projectFiles].filter(
    ({ origin }) => settingSources?.includes(origin) ?? true,
  );
  const readsAgents = settingSources?.includes('project') ?? true;
  const agentFolder = folders.map((folder) => join(folder, '.qwen', 'agents')).find(hasAgentFiles);
  return {
    projectFolder,
    files,
    projectFiles,
    readsAgents,
    skillFolders: skillFoldersOfProject(cwd, configDir),
    ...(agentFolder !== undefined && { agentFolder }),
  };
}

/**
 * Folders with `.qwen` from the working directory up to the repository root, or the root itself. Outside a
 * repository only the working directory: its parents may belong to someone else.
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

const SHARED_SKILLS = [join('.agents', 'skills'), join('.claude', 'skills')];

function skillFoldersOfProject(cwd: string, configDir: string): readonly string[] {
  const ofUser = skillFoldersOfUser(configDir);
  return (foldersUpToGitRoot(cwd) ?? [cwd])
    .flatMap((folder) => [join('.qwen', 'skills'), ...SHARED_SKILLS].map((name) => join(folder, name)))
    .filter((folder) => existsSync(folder) && !ofUser.some((other) => isSameFolder(folder, other)));
}

/** Those that exist. */
export function skillFoldersOfUser(configDir: string): readonly string[] {
  const folders = [join(configDir, 'skills'), ...SHARED_SKILLS.map((name) => join(homedir(), name))];
  return folders.filter((folder) => existsSync(folder));
}

/** The folder and its ancestors, the nearest first; undefined outside a repository. */
export function foldersUpToGitRoot(cwd: string): readonly string[] | undefined {
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

/** Whether anything of the project is read, which needs trust. */
export function readsProject({ files, readsAgents, agentFolder }: SettingsFiles): boolean {
  return (readsAgents && agentFolder !== undefined) || files.some(({ origin }) => origin !== 'user');
}

/** Tests the link itself: a dangling link is an unreadable file, not a missing one. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}
