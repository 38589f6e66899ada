import { findRipgrep } from './find-ripgrep.js';
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
