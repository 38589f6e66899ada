import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AgentError } from '@qwen/protocol';
import { agentFileNames } from '../agents/agent-file-names.js';
import type { Flags } from '../args.js';

/** Which flags say what settings are read. */
export type SettingsFlags = Pick<Flags, 'settings' | 'settingSources' | 'safeMode' | 'trustProject'>;

export interface SettingsFile {
  readonly origin: 'user' | 'project' | 'local';
  /** Absolute. */
  readonly path: string;
}

/** The settings files that are there. */
export interface SettingsFiles {
  /** The folder whose `.qwen` holds what a project says. */
  readonly projectFolder: string;
  /** Where the project has agent files; missing when it has none, or they are not to be read. */
  readonly agentFolder?: string;
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
  const projectFolder = findProjectFolder(cwd);
  const folder = join(projectFolder, '.qwen');
  // Started at home, the folder of the project is the one of the user.
  const hasProject = !isSameFolder(folder, qwenHome);
  const inProject: readonly SettingsFile[] = [
    { origin: 'project', path: join(folder, 'settings.json') },
    { origin: 'local', path: join(folder, 'settings.local.json') },
  ];
  const projectFiles = hasProject ? inProject.filter(({ path }) => isThere(path)) : [];
  const userFile: SettingsFile = { origin: 'user', path: join(qwenHome, 'settings.json') };
  const files = [...(isThere(userFile.path) ? [userFile] : []), ...projectFiles].filter(
    ({ origin }) => settingSources?.includes(origin) ?? true,
  );
  const agentFolder = join(folder, 'agents');
  const readsAgents = hasProject && (settingSources?.includes('project') ?? true) && hasAgentFiles(agentFolder);
  return { projectFolder, files, projectFiles, ...(readsAgents && { agentFolder }) };
}

/**
 * The nearest folder with a `.qwen`, from the working directory up to the root of its git repository. Outside of a
 * repository it is the working directory alone, for what lies above belongs to somebody else.
 */
function findProjectFolder(cwd: string): string {
  const candidates = foldersUpToGitRoot(cwd) ?? [cwd];
  return candidates.find((folder) => existsSync(join(folder, '.qwen'))) ?? candidates.at(-1) ?? cwd;
}

/** From this folder to the one that holds `.git`; undefined when none does. */
function foldersUpToGitRoot(cwd: string): string[] | undefined {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.push(folder);
    if (existsSync(join(folder, '.git'))) return folders;
    if (dirname(folder) === folder) return undefined;
  }
}

function isSameFolder(one: string, other: string): boolean {
  if (one === other) return true;
  return existsSync(one) && existsSync(other) && realpathSync(one) === realpathSync(other);
}

function hasAgentFiles(folder: string): boolean {
  return existsSync(folder) && agentFileNames(folder).length > 0;
}

/** Of the link itself: one that leads nowhere is a file that we cannot read, not a missing one; so is one that hides. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}
