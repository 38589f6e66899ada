import { lstat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { openFile } from '../files/anchored-open.js';
import { compilePathPattern, type PathMatcher } from './glob-pattern.js';

/** The files whose patterns are kept; of two in one folder the later one has the last word. */
export const IGNORE_FILES: readonly string[] = ['.gitignore', '.qwenignore'];

/** Left out of every search unless it starts inside of them. */
export const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['.git', 'node_modules']);

const MAX_IGNORE_BYTES = 1024 * 1024;

interface IgnoreRule {
  readonly matches: PathMatcher;
  readonly isNegated: boolean;
  readonly foldersOnly: boolean;
}

/** The ignore rules that hold in one folder: its own, then those of the folders above. */
export class FolderRules {
  readonly #folder: string;
  readonly #rules: readonly IgnoreRule[];
  readonly #above: FolderRules | undefined;

  constructor(folder: string, lines: readonly string[], above: FolderRules | undefined) {
    this.#folder = folder;
    // The last rule that matches decides, so they are asked from the end.
    this.#rules = lines
      .map(parseRule)
      .filter((rule) => rule !== undefined)
      .toReversed();
    this.#above = above;
  }

  /** Whether the rules leave out this path, given that no folder above it is left out. The path is absolute. */
  ignores(path: string, isFolder: boolean): boolean {
    if (this.#rules.length > 0) {
      const names = relative(this.#folder, path).split(sep);
      const rule = this.#rules.find((one) => (isFolder || !one.foldersOnly) && one.matches(names));
      if (rule !== undefined) return !rule.isNegated;
    }
    return this.#above?.ignores(path, isFolder) ?? false;
  }
}

/** Reads the ignore files of a folder; `above` holds for it too. Files that cannot be read count as empty. */
export async function readFolderRules(
  folder: string,
  above: FolderRules | undefined,
): Promise<FolderRules | undefined> {
  const texts = await Promise.all(IGNORE_FILES.map((name) => readSmall(join(folder, name))));
  const lines = texts.flatMap((text) => text.split(/\r?\n/));
  return lines.some((line) => line !== '') ? new FolderRules(folder, lines, above) : above;
}

/**
 * The rules of the repository that hold at the root of a search: those of the folders from the repository's top down
 * to above the root. None outside of a repository, and none when they leave out the root itself: who names an
 * ignored folder wants to look into it.
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

function parseRule(line: string): IgnoreRule | undefined {
  let pattern = line.replace(/(?<!\\)[ \t]+$/, '');
  if (pattern === '' || pattern.startsWith('#')) return undefined;
  const isNegated = pattern.startsWith('!');
  if (isNegated) pattern = pattern.slice(1);
  const foldersOnly = pattern.endsWith('/');
  if (foldersOnly) pattern = pattern.slice(0, -1);
  if (!pattern.includes('/')) pattern = `**/${pattern}`;
  // What `x/**` leaves out is all that is inside of x, but not x.
  if (pattern.endsWith('/**')) pattern = `${pattern}/*`;
  try {
    return { matches: compilePathPattern(pattern), isNegated, foldersOnly };
  } catch {
    // A pattern with `..` can match nothing below its own folder.
    return undefined;
  }
}

async function readSmall(path: string): Promise<string> {
  try {
    await using file = await openFile(path);
    return file.stats.size > MAX_IGNORE_BYTES ? '' : await file.handle.readFile('utf8');
  } catch {
    return '';
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
