/** Longer texts are not compared: the cost grows with both lengths. */
const MAX_LENGTH = 64;

/** The most similar name, if at most a third of its letters differ. */
export function nearestName(typed: string, names: readonly string[]): string | undefined {
  if (typed.length > MAX_LENGTH) return undefined;
  const wanted = typed.toLowerCase();
  let best: { readonly name: string; readonly changes: number } | undefined;
  for (const name of names) {
    const changes = countChanges(wanted, name.toLowerCase());
    if (changes * 3 <= name.length && (best === undefined || changes < best.changes)) best = { name, changes };
  }
  return best?.name;
}

/** Damerau-Levenshtein distance. */
function countChanges(from: string, to: string): number {
  let beforeLast: readonly number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwap ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
