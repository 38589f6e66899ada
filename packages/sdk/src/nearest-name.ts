/** The known name that is most like a mistyped one, or undefined when none is near. */
export function nearestName(typed: string, known: readonly string[]): string | undefined {
  const limit = Math.max(2, Math.floor(typed.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const name of known) {
    const distance = editDistance(typed.toLowerCase(), name.toLowerCase());
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** How many letters to insert, delete or replace. */
function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [leftIndex, letter] of [...left].entries()) {
    const next = [leftIndex + 1];
    for (let index = 1; index <= right.length; index += 1) {
      const replace = (row[index - 1] ?? 0) + (right[index - 1] === letter ? 0 : 1);
      next.push(Math.min(replace, (row[index] ?? 0) + 1, (next[index - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
