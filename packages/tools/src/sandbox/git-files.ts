import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
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

/** Paths of hooks and included settings in the workspace, whether or not they exist. */
export function configuredPaths(root: string): string[] {
  const { common, own } = linkedGit(root) ?? { common: join(root, '.git'), own: join(root, '.git') };
  const paths = new Set<string>();
  const read = (file: string) => {
    for (const [key, value] of settingsIn(file)) {
      const path = value.startsWith('~/') ? join(homedir(), value.slice(2)) : value;
      if (key === 'hookspath') paths.add(resolve(root, path));
      if (key !== 'path') continue;
      const included = resolve(dirname(file), path);
      if (paths.has(included) || paths.size >= MAX_CONFIGURED_PATHS) continue;
      paths.add(included);
      read(included);
    }
  };
  for (const file of [join(common, 'config'), join(own, 'config.worktree')]) {
    // Includes are relative to the folder of the file, which may be behind a link.
    for (const path of new Set([file, ...(existsSync(file) ? [realpathSync(file)] : [])])) read(path);
  }
  return [...paths].filter((path) => path !== root && isInside(path, root));
}

const MAX_CONFIGURED_PATHS = 100;

/** A setting, after the header of its section if both are on one line. Its value may have quotes and continue. */
const SETTING =
  /^[ \t\ufeff]*(?:\[(?:"(?:\\.|[^"\\\n])*"|[^\]"\n])*\][ \t]*)?([a-z][a-z\d-]*)[ \t]*=[ \t]*((?:"(?:\\[^]|[^"\\\n])*"|\\[^]|[^#;"\\\n])*)/gim;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b' };

/** The settings of a git configuration file, without their sections; keys are in lower case. */
function settingsIn(file: string): readonly (readonly [key: string, value: string])[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  return [...text.matchAll(SETTING)].map(([, key = '', value = '']) => [
    key.toLowerCase(),
    value
      .trimEnd()
      .replaceAll(/\\\r?\n/g, '')
      .replaceAll(/\\(.)|"/g, (_match, escaped?: string) =>
        escaped === undefined ? '' : (ESCAPES[escaped] ?? escaped),
      ),
  ]);
}

function firstLine(file: string): string {
  return readFileSync(file, 'utf8').trim();
}
