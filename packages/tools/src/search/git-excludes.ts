import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { openFile } from '../files/anchored-open.js';

const MAX_BYTES = 1024 * 1024;

/** The user's global excludes, then `.git/info/exclude`. Empty unless `top` is the top of a repository. */
export async function readGitExcludes(top: string): Promise<string> {
  const folder = await gitFolder(join(top, '.git'));
  if (folder === undefined) return '';
  const texts = await Promise.all([readGlobalExcludes(), readSmallFile(join(folder, 'info/exclude'))]);
  return texts.join('\n');
}

/** '' for anything but a small regular file. */
export async function readSmallFile(path: string): Promise<string> {
  try {
    await using file = await openFile(path);
    return file.stats.size > MAX_BYTES ? '' : await file.handle.readFile('utf8');
  } catch {
    return '';
  }
}

/** In a worktree or submodule, `.git` is a file. */
async function gitFolder(path: string): Promise<string | undefined> {
  try {
    if ((await stat(path)).isDirectory()) return await realpath(path);
    const [, named] = /^gitdir: (.+?)\s*$/.exec(await readSmallFile(path)) ?? [];
    if (named === undefined) return undefined;
    const folder = await realpath(resolve(path, '..', named));
    const common = await readSmallFile(join(folder, 'commondir'));
    return await realpath(resolve(folder, common.trim()));
  } catch {
    return undefined;
  }
}

/** The repository's own `core.excludesFile` is not used, as anyone may have set it. */
async function readGlobalExcludes(): Promise<string> {
  const home = homedir();
  const folder = join(process.env['XDG_CONFIG_HOME'] || join(home, '.config'), 'git');
  for (const file of [join(home, '.gitconfig'), join(folder, 'config')]) {
    const path = excludesFileIn(await readLinkedFile(file));
    if (path !== undefined) return readLinkedFile(resolve(home, path.replace(/^~\//, '')));
  }
  return readLinkedFile(join(folder, 'ignore'));
}

/** These are often links. */
async function readLinkedFile(path: string): Promise<string> {
  return readSmallFile(await realpath(path).catch(() => path));
}

function excludesFileIn(config: string): string | undefined {
  let section = '';
  let path: string | undefined;
  for (const line of config.split('\n')) {
    section = /^\s*\[(.*?)\]/.exec(line)?.[1] ?? section;
    const value = /^\s*excludesfile\s*=(.*)/i.exec(line)?.[1];
    if (value !== undefined && section.trim().toLowerCase() === 'core') path = value.trim().replace(/^"(.*)"$/, '$1');
  }
  return path;
}
