import { lstat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Ignore } from 'ignore';
import { readGitExcludes, readSmallFile } from './git-excludes.js';

/** The last matching pattern decides, so `.qwenignore` overrides `.gitignore`. */
const IGNORE_FILES: readonly string[] = ['.gitignore', '.qwenignore'];

export const RULE_SOURCES: readonly string[] = ['.git', ...IGNORE_FILES];

/** Skipped unless the search starts inside. `.git` may be a file. */
export const SKIPPED_NAMES: ReadonlySet<string> = new Set(['.git', 'node_modules']);

// In the expressions of `ignore`, each `**/` multiplies the steps by the depth of the path. Beyond these limits nothing
// matches.
const MAX_PATTERN_LENGTH = 1024;
const MAX_GLOBSTARS = 3;
const MAX_DEPTH = 100;
/** With more names, the matcher is faster. */
const MAX_NAMES = 500;

export class FolderRules {
  /** Absolute. Patterns and paths are relative to it. */
  readonly top: string;
  readonly matcher: Ignore;
  /** Expressions for the names that may match. */
  readonly names: readonly string[];
  readonly #candidate: RegExp;
  readonly #prefixLength: number;

  constructor({ top, matcher, names }: Pick<FolderRules, 'top' | 'matcher' | 'names'>) {
    this.top = top;
    this.matcher = matcher;
    this.names = names;
    this.#candidate = new RegExp(names.length > MAX_NAMES ? '' : `^(?:${names.join('|')})$`, 's');
    this.#prefixLength = top.endsWith(sep) ? top.length : top.length + 1;
  }

  /** `path` is absolute; no folder above it may be ignored. */
  ignores(path: string, isFolder: boolean): boolean {
    // The matcher stores every path, which is slower than the walk.
    if (!this.#candidate.test(path.slice(path.lastIndexOf(sep) + 1))) return false;
    const inside = path.slice(this.#prefixLength).replaceAll(sep, '/');
    if (inside.length > 2 * MAX_DEPTH && inside.split('/').length > MAX_DEPTH) return false;
    return this.matcher.ignores(isFolder ? `${inside}/` : inside);
  }
}

export async function readFolderRules(
  folder: string,
  above: FolderRules | undefined,
): Promise<FolderRules | undefined> {
  const files = IGNORE_FILES.map((name) => readSmallFile(join(folder, name)));
  const texts = await Promise.all([readGitExcludes(folder), ...files]);
  const top = above?.top ?? folder;
  const prefix = relative(top, folder).split(sep).map(escapeGlob).join('/');
  const patterns = texts
    .flatMap((text) => text.replace(/^\ufeff/, '').split(/\r?\n|\r$/))
    .flatMap((line) => toPattern(line, prefix) ?? []);
  if (patterns.length === 0) return above;
  const { default: ignore } = await import('ignore');
  const matcher = ignore({ ignoreCase: false });
  if (above !== undefined) matcher.add(above.matcher);
  const names = [...(above?.names ?? []), ...new Set(patterns.map(namesOf))];
  return new FolderRules({ top, matcher: matcher.add(patterns), names });
}

/**
 * The rules from the top of the repository to the parent of `root`. Undefined without a repository, or if they ignore
 * `root` itself.
 */
export async function rulesAbove(root: string): Promise<FolderRules | undefined> {
  const folders: string[] = [];
  for (let folder = root; !(await exists(join(folder, '.git'))); folder = dirname(folder)) {
    if (dirname(folder) === folder) return undefined;
    folders.unshift(dirname(folder));
  }
  let rules: FolderRules | undefined;
  for (const [index, folder] of folders.entries()) {
    rules = await readFolderRules(folder, rules);
    if (rules?.ignores(folders[index + 1] ?? root, true) === true) return undefined;
  }
  return rules;
}

/** `prefix` leads from the top to the folder of the ignore file. */
function toPattern(line: string, prefix: string): string | undefined {
  if (/^(?:#|!?[/ ]*$)/.test(line) || line.length > MAX_PATTERN_LENGTH) return undefined;
  const [mark, body] = line.startsWith('!') ? ['!', line.slice(1)] : ['', line];
  const isAnchored = /\/(?! *$)/.test(body);
  const inside = isAnchored ? body.replace(/^\//, '') : `**/${body}`;
  const pattern = prefix === '' ? line : `${mark}/${prefix}/${inside}`;
  return (pattern.match(/\*{2,}\//g) ?? []).length > MAX_GLOBSTARS ? undefined : pattern;
}

/** Uses only the ends of the last name, which is fast. */
function namesOf(pattern: string): string {
  if (/[[\]\\]/.test(pattern)) return '.*';
  const name = pattern.replace(/[/ ]*$/, '').replace(/^!?(?:.*\/)?/s, '');
  const pieces = name.split(/[*?]+/).map(escapeForRegExp);
  return pieces.length === 1 ? (pieces[0] ?? '') : `${pieces[0]}.*${pieces.at(-1)}`;
}

function escapeForRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

function escapeGlob(name: string): string {
  return name.replace(/[\\*?[\]]/g, String.raw`\$&`);
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
