import UFuzzy from '@leeoniya/ufuzzy';

/** Any characters may stand between those that were typed. Our own filter has found out that they are there. */
const ranking = new UFuzzy({ unicode: true, intraIns: Infinity, intraChars: '.', interChars: '.' });

/**
 * Paths that hold the characters of a text in this order, the tightest matches and those at beginnings of words first.
 * All of them match, so the expressions that are made of the text never have to try again (F145).
 */
export function rankLoosely(paths: readonly string[], typed: string): string[] {
  const needle = typed.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
  if (needle === '' || paths.length < 2) return [...paths];
  const haystack = [...paths];
  const matches = ranking.filter(haystack, needle) ?? [];
  const info = ranking.info(matches, haystack, needle);
  const ranked = ranking.sort(info, haystack, needle).map((at) => haystack[info.idx[at] ?? -1] ?? '');
  const isRanked = new Set(ranked);
  return [...ranked, ...paths.filter((path) => !isRanked.has(path))];
}
