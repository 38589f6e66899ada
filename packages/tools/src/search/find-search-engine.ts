import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { PatternRefused, ripgrepEngine } from './ripgrep-search.js';
import type { SearchEngine } from './search-engine.js';
import { searchByWalking } from './walking-search.js';

/** ripgrep if there is one, and our engine for patterns that it rejects, such as look-ahead. */
export async function findSearchEngine(): Promise<SearchEngine> {
  const program = await findRipgrep();
  if (program === undefined) return searchByWalking;
  const ripgrep = ripgrepEngine(program);
  return async function* searchWithBoth(request) {
    try {
      yield* ripgrep(request);
    } catch (error) {
      if (!(error instanceof PatternRefused)) throw error;
      yield* searchByWalking(request);
    }
  };
}

/** The optional package, else PATH without relative entries, which lead into the workspace. */
export async function findRipgrep(searchPath = process.env.PATH ?? ''): Promise<string | undefined> {
  try {
    return (await import('@vscode/ripgrep')).rgPath;
  } catch {
    return findOnPath(searchPath);
  }
}

export async function findOnPath(searchPath: string): Promise<string | undefined> {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  for (const folder of searchPath.split(delimiter).filter((entry) => isAbsolute(entry))) {
    const candidate = join(folder, name);
    const isThere = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return candidate;
  }
  return undefined;
}
