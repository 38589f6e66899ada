import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { AgentError } from '@qwen/protocol';
import { GIT_CONTROL_FILES } from './policy.js';

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
    const own = realpathSync(gitFolder(root));
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

/** A file `.git` names another folder. */
export function gitFolder(root: string): string {
  const own = join(root, '.git');
  const [, named = own] = /^gitdir: (.+)$/m.exec(textOf(own)) ?? [];
  return resolve(root, named);
}

/** The files that git reads outside of its folder, whether or not they exist. All folders above these paths are real. */
export interface ConfiguredFiles {
  /** Hooks and included settings. */
  readonly files: readonly string[];
  /** Links on the way to them. */
  readonly links: readonly string[];
}

interface GitPlaces {
  readonly root: string;
  readonly homeDirectory: string;
}

/** Throws `sandbox_unavailable` for settings that cannot be followed. */
export function configuredFiles({ root, homeDirectory }: GitPlaces): ConfiguredFiles {
  const git = gitFolder(root);
  const { common, own } = linkedGit(root) ?? { common: git, own: git };
  const links = new Set<string>();
  const files = new Set<string>();
  const read = new Set<string>();
  const follow = (path: string) => {
    const folder = realTarget(dirname(path), links);
    const file = join(folder, basename(path));
    if (read.has(file)) return;
    read.add(file);
    for (const [key, value] of settingsIn(file)) {
      if ((key !== 'path' && key !== 'hookspath') || value === '' || value.length > MAX_PATH) continue;
      if (value.includes('\ufffd')) throw unfollowed(file, 'a path is not UTF-8');
      const named = value.replace(/^:\(optional\)/, '').replace(/^~(?=\/)/, homeDirectory);
      const full = isAbsolute(named) ? named : `${key === 'path' ? folder : root}/${named}`;
      const target = realTarget(full, links);
      if (key === 'hookspath' && target === root) throw unfollowed(file, 'core.hooksPath is the workspace itself');
      files.add(target);
      if (read.size >= MAX_FILES) throw unfollowed(file, `more than ${MAX_FILES} files are included`);
      if (key === 'path') follow(full);
    }
  };
  const { GIT_CONFIG_GLOBAL: global, XDG_CONFIG_HOME: settings } = process.env;
  const user = [
    global || join(homeDirectory, '.gitconfig'),
    join(settings || join(homeDirectory, '.config'), 'git/config'),
  ];
  for (const file of [join(common, 'config'), join(own, 'config.worktree'), ...user, '/etc/gitconfig']) follow(file);
  if (git !== join(root, '.git')) GIT_CONTROL_FILES.forEach((name) => files.add(join(git, name)));
  return { files: [...files], links: [...links] };
}

const MAX_FILES = 1000;
const MAX_BYTES = 1024 * 1024;
/** Of Linux: links in one path, and its length. */
const MAX_LINKS = 40;
const MAX_PATH = 4096;

function unfollowed(file: string, why: string): AgentError {
  return new AgentError(
    'sandbox_unavailable',
    `The sandbox cannot protect the git settings in ${file}: ${why}. Correct the file, or run without a sandbox.`,
  );
}

/** Where this path leads, as the system resolves it. Adds the links on the way. The end need not exist. */
function realTarget(path: string, links: Set<string>): string {
  const names = path.split('/');
  let current = '/';
  let followed = 0;
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    const next = join(current, name);
    const link = linkTarget(next);
    if (link === undefined) {
      current = next;
      continue;
    }
    followed += 1;
    if (followed > MAX_LINKS) return next;
    links.add(next);
    names.unshift(...link.split('/'));
    if (isAbsolute(link)) current = '/';
  }
  return current;
}

export function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** A setting, after the headers of sections on the same line. Its value may have quotes and continue. */
const SETTING =
  /^[ \t\r\ufeff]*(?:\[(?:"(?:\\.|[^"\\\n])*"|[^\]"\n])*\][ \t\r]*)*([a-z][a-z\d-]*)[ \t]*=[ \t\r]*((?:"(?:\\[^]|[^"\\\n])*"|\\[^]|[^#;"\\\n])*)/gim;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['b', '\b'],
]);

/**
 * The settings of a git configuration file, in lower case, without sections. git would list only those whose conditions
 * hold now, but a command may switch the branch and with it the included files.
 */
function settingsIn(file: string): readonly (readonly [key: string, value: string])[] {
  return [...textOf(file).matchAll(SETTING)].map(([, key = '', value = '']) => [
    key.toLowerCase(),
    value
      .replace(/[ \t\r\n]+$/, '')
      .replaceAll(/\\\r?\n/g, '')
      .replaceAll(/\\(.)|"/g, (_match, escaped?: string) =>
        escaped === undefined ? '' : (ESCAPES.get(escaped) ?? escaped),
      ),
  ]);
}

/** Empty for what git cannot read either. Does not wait for the writer of a pipe. */
function textOf(file: string): string {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return '';
  }
  try {
    const stats = fstatSync(descriptor);
    if (stats.isFIFO()) throw unfollowed(file, 'it is a named pipe');
    if (!stats.isFile()) return '';
    if (stats.size > MAX_BYTES) throw unfollowed(file, 'it is larger than 1 MiB');
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function firstLine(file: string): string {
  return readFileSync(file, 'utf8').trim();
}
