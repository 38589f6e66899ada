/** How a pattern is compared with what it is held against. */
export interface WildcardRules<Pattern, Item> {
  /** Whether this piece of the pattern stands for any number of items, none included. */
  readonly isAny: (piece: Pattern) => boolean;
  readonly matches: (piece: Pattern, item: Item) => boolean;
}

/**
 * Whether the whole pattern fits all items. Takes at most pattern × items steps for every pattern, which a regular
 * expression made of a glob does not (F145): only the last wildcard ever has to be tried again.
 */
export function matchesWildcards<Pattern, Item>(
  pattern: readonly Pattern[],
  items: readonly Item[],
  { isAny, matches }: WildcardRules<Pattern, Item>,
): boolean {
  let at = 0;
  let item = 0;
  let lastAny = -1;
  let resumeItem = 0;
  while (item < items.length) {
    const piece = pattern[at];
    if (piece !== undefined && isAny(piece)) {
      lastAny = at;
      resumeItem = item;
      at += 1;
    } else if (piece !== undefined && matches(piece, items[item] as Item)) {
      at += 1;
      item += 1;
    } else if (lastAny !== -1) {
      at = lastAny + 1;
      resumeItem += 1;
      item = resumeItem;
    } else return false;
  }
  return pattern.slice(at).every(isAny);
}
