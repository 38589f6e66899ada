import { constants } from 'node:fs';
import { access, readdir, realpath, stat } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { AgentError } from '@qwen/protocol';
import { isInside } from '@qwen/tools';
import { rootProblem } from '@qwen/tools/roots';
import type { AddedDirectories, FolderListing } from './session-service.js';

const HOME = /^(?:~|%userprofile%)(?=$|[\\/])/i;
/** All users may create files in it, as in `/tmp`. */
const SHARED_MODE = 0o1002;
const MAX_PATH = 4096;
const MAX_LISTED = 1000;

export interface WorkspaceFoldersOptions {
  /** Workspaces must be one of these or below. Absolute. Default: no limit. */
  readonly limits?: readonly string[] | undefined;
  /** Folders with secrets besides those with known names, such as the data directory. Absolute. */
  readonly secretFolders?: readonly string[] | undefined;
}

/** Also resolves `~` and `%userprofile%`. */
export function toAbsolutePath(path: string, base: string): string {
  const home = HOME.exec(path);
  if (home === null) return resolve(base, path);
  return join(homedir(), path.slice(home[0].length).replaceAll('\\', '/'));
}

/**
 * Decides which folders clients may use as workspaces, by real path. Not the root of a file system, not a home folder,
 * not a folder of the system or with secrets.
 */
export class WorkspaceFolders {
  readonly #options: WorkspaceFoldersOptions;

  constructor(options: WorkspaceFoldersOptions = {}) {
    this.#options = options;
  }

  /**
   * The real path of a workspace. Errors: `path_refused`; `cwd_missing` if it does not exist, is not a folder or cannot
   * be read.
   */
  async find(path: string, base: string): Promise<string> {
    const { folder, problem } = await this.#examine(path, base);
    if (problem?.isRefused === true) throw refused(path, problem);
    if (problem !== undefined) {
      throw new AgentError('cwd_missing', `The workspace ${shorten(path)} does not exist or is not a folder.`);
    }
    return folder;
  }

  /** Checks the folders of a stored session, whose links and limits may have changed. Errors: `path_refused`. */
  async check(folders: readonly string[]): Promise<void> {
    for (const folder of folders) {
      const { problem } = await this.#examine(folder, '/');
      if (problem?.isRefused === true) throw refused(folder, problem);
    }
  }

  async sort(
    paths: readonly string[],
    base: string,
  ): Promise<AddedDirectories & { readonly folders: readonly string[] }> {
    const checked = await Promise.all(paths.map(async (path) => ({ path, ...(await this.#examine(path, base)) })));
    const valid = checked.filter(({ problem }) => problem === undefined);
    return {
      folders: valid.map(({ folder }) => folder),
      added: valid.map(({ path }) => path),
      errors: checked.flatMap(({ path, problem }) => {
        if (problem === undefined) return [];
        const reason = problem.isRefused
          ? `It is ${problem.text}, which cannot be added to the workspace`
          : 'Directory not found';
        return [`Error adding '${shorten(path)}': ${reason}`];
      }),
    };
  }

  /**
   * The folders in a folder, without hidden ones. A folder that cannot be a workspace, such as a home folder, can be
   * listed to find one in it. Errors: `cwd_missing`, also for a folder that may not be listed.
   */
  async list(path: string, base: string): Promise<FolderListing> {
    const { folder, problem } = await this.#examine(path, base);
    const entries = (await this.#mayList(folder))
      ? await readdir(folder, { withFileTypes: true }).catch(() => undefined)
      : undefined;
    if (entries === undefined) {
      throw new AgentError('cwd_missing', `The folder ${shorten(path)} does not exist or may not be listed.`);
    }
    const names = entries.flatMap((entry) => (entry.isDirectory() && !entry.name.startsWith('.') ? [entry.name] : []));
    const parent = dirname(folder);
    return {
      path: folder,
      canUse: problem === undefined,
      parent: parent !== folder && (await this.#mayList(parent)) ? parent : undefined,
      folders: names.toSorted((one, other) => one.localeCompare(other)).slice(0, MAX_LISTED),
    };
  }

  async #mayList(folder: string): Promise<boolean> {
    const { limits = [], secretFolders = [] } = this.#options;
    // No part of the path is hidden, as those of folders with keys are.
    if (/[\\/]\./.test(folder) || (await isInAny(folder, secretFolders))) return false;
    return limits.length === 0 || isInAny(folder, limits);
  }

  async #examine(path: string, base: string): Promise<{ readonly folder: string; readonly problem?: FolderProblem }> {
    if (path.length > MAX_PATH || path.includes('\0')) return { folder: path, problem: MISSING };
    const folder = await nearestRealPath(toAbsolutePath(path, base));
    // Refused folders get the same answer whether or not they exist.
    const refusal = await this.#refusalOf(folder);
    if (refusal !== undefined) return { folder, problem: { isRefused: true, text: refusal } };
    const stats = await stat(folder).catch(() => undefined);
    if (stats?.isDirectory() !== true || !(await isReadable(folder))) return { folder, problem: MISSING };
    if (process.platform !== 'win32' && (stats.mode & SHARED_MODE) === SHARED_MODE) {
      return { folder, problem: { isRefused: true, text: 'a folder in which all users can create files' } };
    }
    return { folder };
  }

  async #refusalOf(folder: string): Promise<string | undefined> {
    const { limits = [], secretFolders = [] } = this.#options;
    if (limits.length > 0 && !(await isInAny(folder, limits))) return 'outside the folders of --workspace-root';
    for (const home of await realPathsOf(homeFolders())) {
      const problem = rootProblem(folder, home);
      if (problem !== undefined) return problem;
    }
    return (await isInAny(folder, secretFolders)) ? 'a protected folder' : undefined;
  }
}

interface FolderProblem {
  readonly isRefused: boolean;
  readonly text: string;
}

function refused(path: string, { text }: FolderProblem): AgentError {
  const next = 'Choose another folder, such as the folder of a project.';
  return new AgentError('path_refused', `The workspace ${shorten(path)} is refused: it is ${text}. ${next}`);
}

const MISSING: FolderProblem = { isRefused: false, text: 'missing' };

/** HOME can be changed; the account has its home folder anyway. */
function homeFolders(): readonly string[] {
  try {
    return [homedir(), userInfo().homedir];
  } catch {
    // The account has no entry.
    return [homedir()];
  }
}

async function isInAny(folder: string, folders: readonly string[]): Promise<boolean> {
  return (await realPathsOf(folders)).some((each) => isInside(folder, each));
}

function realPathsOf(paths: readonly string[]): Promise<readonly string[]> {
  return Promise.all(paths.map(nearestRealPath));
}

/** For a missing folder, that of its nearest existing parent. */
async function nearestRealPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await nearestRealPath(parent), path.slice(parent.length));
  }
}

function isReadable(folder: string): Promise<boolean> {
  return access(folder, constants.R_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}

function shorten(path: string): string {
  return path.length > 200 ? `${path.slice(0, 200)}…` : path;
}
