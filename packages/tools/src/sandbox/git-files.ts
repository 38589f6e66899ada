import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isInside } from '../paths/path-resolver.js';

/** The git folders of a worktree that `git worktree add` created. */
export interface LinkedGit {
  /** The `.git` of the main worktree. */
  readonly common: string;
  readonly own: string;
}

/**
 * Where git keeps the data of a worktree. Both sides must name each other: a file `.git` alone may come from an
 * archive and name any repository.
 */
export function linkedGit(root: string): LinkedGit | undefined {
  try {
    const [, named = ''] = /^gitdir: (.+)$/m.exec(readFileSync(join(root, '.git'), 'utf8')) ?? [];
    const own = realpathSync(resolve(root, named));
    const common = dirname(dirname(own));
    const isWorktree =
      realpathSync(resolve(own, firstLine(join(own, 'commondir')))) === common &&
      join(common, 'worktrees') === dirname(own) &&
      realpathSync(resolve(own, firstLine(join(own, 'gitdir')))) === join(root, '.git');
    return isWorktree && ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(common, name)))
      ? { common, own }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Hooks and further settings that the repository keeps in its workspace. */
export function configuredPaths(root: string): string[] {
  const folder = linkedGit(root)?.common ?? join(root, '.git');
  try {
    const settings = readFileSync(join(folder, 'config'), 'utf8');
    const paths = [...settings.matchAll(/^\s*(hooksPath|path)\s*=\s*"?([^"\n]+?)"?\s*$/gim)].map(([, key, path = '']) =>
      resolve(key?.toLowerCase() === 'path' ? folder : root, path),
    );
    return paths.filter((path) => path !== root && isInside(path, root));
  } catch {
    return [];
  }
}

function firstLine(file: string): string {
  return readFileSync(file, 'utf8').trim();
}
