import { lstat } from 'node:fs/promises';
import { basename, isAbsolute, join } from 'node:path';
import type { ToolContext } from '@qwen/agent';
import { realPathFor, toAbsolutePath } from '../paths/path-resolver.js';
import { toVisibleName } from '../visible-text.js';
import { compileGlob, hasWildcard, splitGlob } from './glob-pattern.js';
import { walkFiles } from './walk.js';

const MAX_ENTRIES = 200_000;

/** A file that was named, or that lies below a named folder, or that fits a pattern. */
export interface FoundFile {
  readonly realPath: string;
  /** As the model may read it. */
  readonly shown: string;
  /** From the folder in which the search began down to the file. */
  readonly names: readonly string[];
  /** True when it was meant by its own name. */
  readonly isNamed: boolean;
}

export interface FindOptions {
  readonly context: Pick<ToolContext, 'cwd' | 'signal' | 'realPaths'>;
  /** Hears what was not found or not looked at. */
  readonly onNote: (note: string) => void;
}

/** The places on which is decided before a path or pattern is looked up: what it says by itself, and where its search begins. */
export function placesOf(path: string, cwd: string): string[] {
  const literal = toAbsolutePath(path, cwd);
  const start = searchOf(path, cwd);
  return start === undefined || start.folder === literal ? [literal] : [literal, start.folder];
}

/**
 * The regular files that a path means: itself, all below it, or those that fit it as a pattern, in the order of their
 * names. What really has this name counts before a pattern, so that `[id].ts` is a file. Ignore rules leave out only
 * what was not named. Throws `invalid_tool_input` for a pattern that climbs up or is too long.
 */
export async function* findFiles(path: string, { context, onNote }: FindOptions): AsyncGenerator<FoundFile> {
  const literal = toAbsolutePath(path, context.cwd);
  const realPath = await realPathFor(literal, context);
  const stats = await lstat(realPath).catch(() => undefined);
  if (stats?.isDirectory() === true) {
    yield* below({ folder: literal, root: realPath, matches: () => true }, { context, onNote });
    return;
  }
  if (stats !== undefined) {
    yield { realPath, shown: toVisibleName(literal), names: [basename(literal)], isNamed: true };
    return;
  }
  const search = searchOf(path, context.cwd);
  if (search === undefined) {
    onNote(`${toVisibleName(literal)}: it does not exist`);
    return;
  }
  const { folder, rest } = search;
  let count = 0;
  const start = { folder, root: await realPathFor(folder, context), matches: compileGlob(rest) };
  for await (const file of below(start, { context, onNote })) {
    count += 1;
    yield file;
  }
  if (count === 0) onNote(`${toVisibleName(path)}: nothing fits`);
}

interface Start {
  /** As it was named, absolute. */
  readonly folder: string;
  readonly root: string;
  readonly matches: (names: readonly string[]) => boolean;
}

async function* below({ folder, root, matches }: Start, { context, onNote }: FindOptions): AsyncGenerator<FoundFile> {
  const onCut = () => onNote(`only the first ${MAX_ENTRIES} files and folders were looked at`);
  for await (const { path, names } of walkFiles({ root, signal: context.signal, maxEntries: MAX_ENTRIES, onCut })) {
    if (!matches(names)) continue;
    yield { realPath: path, shown: toVisibleName(join(folder, ...names)), names, isNamed: false };
  }
}

/** Where the search for a pattern begins; undefined for a path without wildcards. */
function searchOf(path: string, cwd: string): { readonly folder: string; readonly rest: string } | undefined {
  if (!hasWildcard(path)) return undefined;
  const { folder, rest } = splitGlob(path);
  return { folder: isAbsolute(folder) ? folder : toAbsolutePath(folder === '' ? '.' : folder, cwd), rest };
}
