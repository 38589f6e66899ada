import UFuzzy from '@leeoniya/ufuzzy';

/** 0: path prefix. 1: prefix of the last segment. 2: substring. 3: subsequence. */
type Rank = 0 | 1 | 2 | 3;

const MAX_LOOSE = 200;

/** Collects the best matches of paths that arrive in display order. */
export class PathRanks {
  readonly #typed: string;
  readonly #limit: number;
  readonly #characters: readonly string[];
  readonly #found: readonly [number[], number[], number[], number[]] = [[], [], [], []];

  constructor(typed: string, limit: number) {
    this.#typed = typed;
    this.#limit = limit;
    this.#characters = [...typed].filter((character) => /\S/u.test(character));
  }

  get isFull(): boolean {
    return this.#found[0].length >= this.#limit;
  }

  /** Undefined if there is no match or its rank is full. */
  rankOf(path: string): Rank | undefined {
    const [first, second, third, loose] = this.#found;
    if (!path.includes(this.#typed)) return loose.length < MAX_LOOSE && this.#holdsInOrder(path) ? 3 : undefined;
    if (path.startsWith(this.#typed)) return first.length < this.#limit ? 0 : undefined;
    const lastName = path.lastIndexOf('/', path.length - 2) + 1;
    if (path.startsWith(this.#typed, lastName)) return second.length < this.#limit ? 1 : undefined;
    return third.length < this.#limit ? 2 : undefined;
  }

  add(rank: Rank, index: number): void {
    this.#found[rank].push(index);
  }

  /** Ranks 0 to 2, best first. */
  get sure(): readonly number[] {
    return this.#found.slice(0, 3).flat();
  }

  /** Rank 3, unsorted. */
  get loose(): readonly number[] {
    return this.#found[3];
  }

  /** Greedy, so it runs in linear time. */
  #holdsInOrder(path: string): boolean {
    let from = 0;
    for (const character of this.#characters) {
      const at = path.indexOf(character, from);
      if (at === -1) return false;
      from = at + character.length;
    }
    return true;
  }
}

/** The type allows only 0 and 1, but any number works. */
const ANY_NUMBER = Infinity as 1;

const ranking = new UFuzzy({
  unicode: true,
  interSplit: '[^\\p{L}\\p{N}]+',
  intraSplit: '\\p{Ll}\\p{Lu}',
  intraBound: '\\p{L}\\p{N}|\\p{N}\\p{L}|\\p{Ll}\\p{Lu}',
  intraChars: '[^]',
  interChars: '[^]',
  intraContr: '(?!)',
  intraRules: () => ({ intraSlice: [0, Infinity], intraIns: ANY_NUMBER, intraSub: 0, intraTrn: 0, intraDel: 0 }),
  intraIns: Infinity,
});

/**
 * Returns positions, tight matches and matches at word starts first. Inputs are folded. The expressions cannot
 * backtrack, because all paths match.
 */
export function rankLoosely(paths: readonly string[], typed: string): number[] {
  const positions = [...paths.keys()];
  // uFuzzy splits surrogate pairs.
  const needle = typed.replace(/[^\p{L}\p{N}]|[\u{10000}-\u{10ffff}]/gu, ' ').trim();
  const haystack = [...paths];
  const matches = needle === '' ? null : ranking.filter(haystack, needle);
  if (matches === null || matches.length === 0) return positions;
  const info = ranking.info(matches, haystack, needle);
  const ranked = ranking.sort(info, haystack, needle).flatMap((at) => info.idx[at] ?? []);
  return [...new Set([...ranked, ...positions])];
}
