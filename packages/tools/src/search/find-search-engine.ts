import { findProgram, type ProgramSearch } from '../paths/find-program.js';
import { PatternRefused, ripgrepEngine } from './ripgrep-search.js';
import type { SearchEngine } from './search-engine.js';
import { searchByWalking } from './walking-search.js';

/** ripgrep if there is one, and our engine for patterns that it rejects, such as look-ahead. */
export async function findSearchEngine(project?: string): Promise<SearchEngine> {
  const program = await findRipgrep({ ...(project !== undefined && { project }) });
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

/** The optional package, else a program that the project does not control. */
export async function findRipgrep(search: ProgramSearch = {}): Promise<string | undefined> {
  try {
    return (await import('@vscode/ripgrep')).rgPath;
  } catch {
    return findProgram('rg', search);
  }
}
