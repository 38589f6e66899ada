import { lstat } from 'node:fs/promises';
import { basename, isAbsolute, join } from 'node:path';
import type { ToolContext } from '@qwen/agent';
import { escapeHidden } from '@qwen/protocol';
import { realPathFor, toAbsolutePath } from '../paths/path-resolver.js';
import { compileGlob, hasWildcard, splitGlob } from './glob-pattern.js';
import { walkFiles } from './walk.js';

const MAX_ENTRIES = 200_000;

export interface FoundFile {
  readonly realPath: string;
  /** As it was named or found. */
  readonly path: string;
  /** For display. */
  readonly shown: string;
  readonly names: readonly string[];
  /** Whether it was named itself. */
  readonly isNamed: boolean;
}

export interface FindOptions {
  readonly context: Pick<ToolContext, 'cwd' | 'signal' | 'realPaths'>;
  readonly onNote: (note: string) => void;
}

/** The paths that need permission. */
export function placesOf(path: string, cwd: string): string[] {
  const literal = toAbsolutePath(path, cwd);
  const start = searchOf(path, cwd);
  return start === undefined || start.folder === literal ? [literal] : [literal, start.folder];
}

/**
 * Finds a file, the files below a folder or the matches of a glob. An existing name wins over a glob, as in
 * `[id].ts`; ignore rules do not apply to it. Throws `invalid_tool_input`.
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
    yield { realPath, path: literal, shown: escapeHidden(literal), names: [basename(literal)], isNamed: true };
    return;
  }
  const search = searchOf(path, context.cwd);
  if (search === undefined) {
    onNote(`${escapeHidden(literal)}: it does not exist`);
    return;
  }
  const { folder, rest } = search;
  let count = 0;
  const start = { folder, root: await realPathFor(folder, context), matches: compileGlob(rest) };
  for await (const file of below(start, { context, onNote })) {
    count += 1;
    yield file;
  }
  if (count === 0) onNote(`${escapeHidden(path)}: no files match`);
}

interface Start {
  /** Absolute. */
  readonly folder: string;
  readonly root: string;
  readonly matches: (names: readonly string[]) => boolean;
}

async function* below({ folder, root, matches }: Start, { context, onNote }: FindOptions): AsyncGenerator<FoundFile> {
  const onCut = () => onNote(`only the first ${MAX_ENTRIES} files and folders were searched`);
  for await (const { path, names } of walkFiles({ root, signal: context.signal, maxEntries: MAX_ENTRIES, onCut })) {
    if (!matches(names)) continue;
    const found = join(folder, ...names);
    yield { realPath: path, path: found, shown: escapeHidden(found), names, isNamed: false };
  }
}

/** Undefined for a path without wildcards. */
function searchOf(path: string, cwd: string): { readonly folder: string; readonly rest: string } | undefined {
  if (!hasWildcard(path)) return undefined;
  const { folder, rest } = splitGlob(path);
  return { folder: isAbsolute(folder) ? folder : toAbsolutePath(folder === '' ? '.' : folder, cwd), rest };
}
