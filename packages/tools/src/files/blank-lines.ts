import { MAX_DIFFERENCES } from './carry-indentation.js';

/**
 * An edit whose blank lines differ from those of the file, with the blank lines of the file. `blanks` tells which lines
 * of the file are blank; the others are the old lines. Undefined if it is unclear where the new lines belong.
 */
export async function alignBlankLines(
  oldLines: readonly string[],
  newLines: readonly string[],
  blanks: readonly boolean[],
): Promise<{ readonly oldLines: readonly string[]; readonly newLines: readonly string[] } | undefined> {
  const { diffArrays } = await import('diff');
  const written = oldLines.filter((line) => line.trim() !== '');
  const inOld = gapsOf(oldLines.map((line) => line.trim() === ''));
  const inFile = gapsOf(blanks);
  const extra = inFile.map((count, gap) => count - (inOld[gap] ?? 0));
  const parts = diffArrays([...oldLines], [...newLines], { maxEditLength: MAX_DIFFERENCES });
  if (parts === undefined) return undefined;
  const aligned: string[] = [];
  let [last, next] = [-1, 0];
  let between: string[] = [];
  const close = (to: number): boolean => {
    const gap = { between, extra, last, to };
    const isEnd = last === -1 || to === written.length;
    const lines = isEnd ? fitEnd(gap) : fitGap({ ...gap, before: inOld[last] ?? 0 });
    if (lines === undefined) return false;
    aligned.push(...lines);
    between = [];
    return true;
  };
  for (const part of parts) {
    for (const line of part.value) {
      const isBlank = line.trim() === '';
      if (part.added || (isBlank && !part.removed)) between.push(line);
      else if (!isBlank && part.removed) next += 1;
      else if (!isBlank) {
        if (!close(next)) return undefined;
        aligned.push(line);
        last = next;
        next += 1;
      }
    }
  }
  if (!close(written.length)) return undefined;
  let at = 0;
  return { oldLines: blanks.map((isBlank) => (isBlank ? '' : (written[at++] ?? ''))), newLines: aligned };
}

function gapsOf(blanks: readonly boolean[]): readonly number[] {
  const gaps: number[] = [];
  for (const isBlank of blanks) {
    if (!isBlank) gaps.push(0);
    else if (gaps.length > 0) gaps[gaps.length - 1] = (gaps.at(-1) ?? 0) + 1;
  }
  return gaps;
}

interface Gap {
  readonly between: readonly string[];
  readonly extra: readonly number[];
  readonly last: number;
  readonly to: number;
}

function fitGap({
  between,
  extra,
  last,
  to,
  before,
}: Gap & { readonly before: number }): readonly string[] | undefined {
  const changed = extra.slice(last, to);
  if (changed.every((count) => count === 0)) return between;
  const [first = 0, ...others] = changed;
  const isBare = between.every((line) => line.trim() === '');
  if (to === last + 1) return isBare && between.length === before ? resized(between, first, 'start') : undefined;
  if (isBare) return undefined;
  const start = resized(between, first, 'start');
  return start && resized(start, others.at(-1) ?? 0, 'end');
}

function fitEnd({ between, extra, last, to }: Gap): readonly string[] | undefined {
  if (last === -1) return to === 0 ? between : resized(between, extra[to - 1] ?? 0, 'end');
  return last === to - 1 ? between : resized(between, extra[last] ?? 0, 'start');
}

/** With more blank lines, or fewer, at one end. Undefined if there are not as many. */
function resized(lines: readonly string[], count: number, end: 'start' | 'end'): readonly string[] | undefined {
  if (count >= 0) {
    const blank = Array.from({ length: count }, () => '');
    return end === 'start' ? [...blank, ...lines] : [...lines, ...blank];
  }
  const cut = end === 'start' ? lines.slice(0, -count) : lines.slice(count);
  if (cut.length < -count || cut.some((line) => line.trim() !== '')) return undefined;
  return end === 'start' ? lines.slice(-count) : lines.slice(0, count);
}
