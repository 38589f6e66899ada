import UFuzzy from '@leeoniya/ufuzzy';

/** 0: begins with what was typed. 1: its last name does. 2: holds it. 3: holds its characters in this order. */
type Rank = 0 | 1 | 2 | 3;

/** So many loose matches are kept, the shallow and short ones; ranking each costs a few microseconds. */
const MAX_LOOSE = 200;

/** The best matches for one text, of paths that come in the order in which equals are shown. */
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

  /** Nothing that still may come can be among the best. */
  get isFull(): boolean {
    return this.#found[0].length >= this.#limit;
  }

  /** How well a path matches; undefined when it does not, or when there are enough of its kind. */
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

  /** The indexes of matches whose order is known, best first. */
  get sure(): readonly number[] {
    return this.#found.slice(0, 3).flat();
  }

  /** The indexes of loose matches. */
  get loose(): readonly number[] {
    return this.#found[3];
  }

  /** Takes the first place of each character, so it never has to try again (F145). */
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

/** The types of the rules for terms know of 0 and 1 only; the option of the same name takes any number, and so do they. */
const ANY_NUMBER = Infinity as 1;

/** Letters of any script; between those that were typed anything may stand, however short the text is. */
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
 * The order in which to show paths that hold the characters of a text: the positions of the tightest matches and of those at
 * beginnings of words first; what it cannot tell apart as it came. Paths and text are folded. The expressions are made
 * of the text, but as all paths match they never have to try again (F145).
 */
export function rankLoosely(paths: readonly string[], typed: string): number[] {
  const positions = [...paths.keys()];
  // A character of two units would be taken apart, and then nothing matches.
  const needle = typed.replace(/[^\p{L}\p{N}]|[\u{10000}-\u{10ffff}]/gu, ' ').trim();
  const haystack = [...paths];
  const matches = needle === '' ? null : ranking.filter(haystack, needle);
  if (matches === null || matches.length === 0) return positions;
  const info = ranking.info(matches, haystack, needle);
  const ranked = ranking.sort(info, haystack, needle).flatMap((at) => info.idx[at] ?? []);
  return [...new Set([...ranked, ...positions])];
}
