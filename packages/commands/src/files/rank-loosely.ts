import UFuzzy from '@leeoniya/ufuzzy';

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
