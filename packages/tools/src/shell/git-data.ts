import { lstat, readdir, readFile, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { isInside } from '@qwen/agent/node';
import { systemCodeOf } from '@qwen/protocol';

/** With more files, the data of a repository are not checked. */
const MAX_ENTRIES = 100_000;
/** In a decoded name: a path to the file cannot be written. */
const NOT_UTF_8 = '\uFFFD';
/** Where the name of a branch is a link, as git once wrote it. */
const BRANCH = /^refs\/(?!.*(?:^|\/)\.)[^\0]+$/;

export interface GitFolders {
  /** Where git runs. */
  readonly folder: string;
  readonly gitFolder: string;
  readonly top: string | undefined;
  /** Whether the settings of the repository name the working tree, as those of a submodule do. */
  readonly hasWorktree: boolean;
}

/**
 * Why git may show files of someone else. Ordinary files of a repository can form another one; a link, a worktree, an
 * alternate or a common folder can lead out of it.
 */
export async function foreignData({ folder, gitFolder, top, hasWorktree }: GitFolders): Promise<string | undefined> {
  if (isInside(folder, gitFolder)) return `${folder} is inside the data of a repository.`;
  if (top === undefined || !isInside(folder, top)) return `${folder} is not a working tree of ${gitFolder}.`;
  const common = await commonFolder(gitFolder, top, hasWorktree);
  return common === undefined ? `The repository ${gitFolder} belongs to another folder.` : wayOut(common, top);
}

/** Undefined if another folder claims the data. */
async function commonFolder(gitFolder: string, top: string, hasWorktree: boolean): Promise<string | undefined> {
  const [common, back, link] = await Promise.all([
    textOf(join(gitFolder, 'commondir')),
    textOf(join(gitFolder, 'gitdir')),
    textOf(join(top, '.git')),
  ]);
  if (common === undefined) {
    const isModule =
      hasWorktree && link !== undefined && resolve(top, link.replace(/^gitdir: /, '').trim()) === gitFolder;
    return gitFolder === join(top, '.git') || isModule ? gitFolder : undefined;
  }
  const main = await realpath(resolve(gitFolder, common.trim())).catch(() => undefined);
  const isLinked = !hasWorktree && back !== undefined && resolve(gitFolder, back.trim()) === join(top, '.git');
  return isLinked && main !== undefined && resolve(gitFolder, '../..') === main ? main : undefined;
}

/** An alternate or a link in the data. A link inside can hide another one from those who check names. */
async function wayOut(root: string, top: string): Promise<string | undefined> {
  const alternates = await textOf(join(root, 'objects/info/alternates'));
  const lent = alternates?.split('\n').find((line) => line !== '' && !line.startsWith('#'));
  if (lent !== undefined) return `The repository uses data from ${lent}.`;
  const folders = [root];
  let count = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) =>
      systemCodeOf(error) === 'ENOENT' ? [] : undefined,
    );
    if (entries === undefined) return `${relative(root, folder)} of the repository cannot be read.`;
    count += entries.length;
    if (count > MAX_ENTRIES) return 'The repository has too many files to check.';
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.name.includes(NOT_UTF_8)) return `${relative(root, path)} of the repository cannot be checked.`;
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isSymbolicLink() && !(await isUsualLink(path, root, top))) {
        return `${relative(root, path)} of the repository is a link.`;
      }
    }
  }
  return undefined;
}

/** A branch, or a hook in the working tree. */
async function isUsualLink(path: string, root: string, top: string): Promise<boolean> {
  if (basename(path) === 'HEAD') return BRANCH.test(await readlink(path).catch(() => ''));
  return dirname(path) === join(root, 'hooks') && (await isOwnFile(path, top));
}

async function isOwnFile(path: string, top: string): Promise<boolean> {
  const real = await realpath(path).catch(() => undefined);
  return real !== undefined && isInside(real, top) && (await stat(real)).isFile();
}

/** Git shows lines of the file that this setting names. */
export async function foreignRevisions(value: string, top: string): Promise<string | undefined> {
  const isOwn = value === '' || (!/^[~%:]/.test(value) && (await staysInside(resolve(top, value), top)));
  return isOwn ? undefined : `blame.ignoreRevsFile of the repository is outside of it: ${value}.`;
}

async function staysInside(path: string, root: string): Promise<boolean> {
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined) return isInside(real, root);
  const target = await readlink(path).catch(() => '.');
  return isInside(path, root) && isInside(resolve(dirname(path), target), root);
}

/** The first folder of these files that is or may be a link. */
export async function linkedFolder(files: readonly string[], top: string): Promise<string | undefined> {
  const folders = new Set<string>();
  for (const file of files) {
    for (let folder = dirname(file); folder !== '.' && !folders.has(folder); folder = dirname(folder)) {
      folders.add(folder);
    }
  }
  const links = await Promise.all(
    [...folders].map(async (folder) => {
      const stats = await lstat(join(top, folder)).catch(() => undefined);
      return stats?.isSymbolicLink() === true || folder.includes(NOT_UTF_8) ? folder : undefined;
    }),
  );
  return links.find((folder) => folder !== undefined);
}

async function textOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}
