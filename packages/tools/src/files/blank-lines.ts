import { MAX_DIFFERENCES } from './carry-indentation.js';

/**
 * Gives an edit the blank lines of the file. `blanks` marks the blank ones among the file's lines; the others equal the
 * old lines. Undefined if it is unclear where new lines belong.
 */
export async function alignBlankLines(
  oldLines: readonly string[],
  newLines: readonly string[],
  blanks: readonly boolean[],
): Promise<{ readonly oldLines: readonly string[]; readonly newLines: readonly string[] } | undefined> {
  const { diffArrays } = await import('diff');
  const written = oldLines.filter((line) => !isBlank(line));
  const inOld = gapsOf(oldLines.map(isBlank));
  const inFile = gapsOf(blanks);
  const parts = diffArrays([...oldLines], [...newLines], { maxEditLength: MAX_DIFFERENCES });
  if (parts === undefined) return undefined;
  const aligned: string[] = [];
  let [last, next] = [-1, 0];
  let between: string[] = [];
  const close = (to: number): boolean => {
    const lines = fitGap({ between, inOld, inFile, last, to });
    if (lines === undefined) return false;
    aligned.push(...lines);
    between = [];
    return true;
  };
  for (const part of parts) {
    for (const line of part.value) {
      if (part.added || (isBlank(line) && !part.removed)) between.push(line);
      else if (!isBlank(line) && part.removed) next += 1;
      else if (!isBlank(line)) {
        if (!close(next)) return undefined;
        aligned.push(line);
        last = next;
        next += 1;
      }
    }
  }
  if (!close(written.length)) return undefined;
  let at = 0;
  return { oldLines: blanks.map((blank) => (blank ? '' : (written[at++] ?? ''))), newLines: aligned };
}

function gapsOf(blanks: readonly boolean[]): readonly number[] {
  const gaps: number[] = [];
  for (const blank of blanks) {
    if (!blank) gaps.push(0);
    else if (gaps.length > 0) gaps[gaps.length - 1] = (gaps.at(-1) ?? 0) + 1;
  }
  return gaps;
}

interface Gap {
  readonly between: readonly string[];
  /** Blank lines after each line that is not blank. */
  readonly inOld: readonly number[];
  readonly inFile: readonly number[];
  /** The kept lines around it; -1 and the number of lines at the ends. */
  readonly last: number;
  readonly to: number;
}

function fitGap({ between, inOld, inFile, last, to }: Gap): readonly string[] | undefined {
  const isFirst = last === -1;
  const isLast = to === inOld.length;
  const sizes = (gap: number) => ({ old: inOld[gap] ?? 0, file: inFile[gap] ?? 0 });
  const isSame = inOld.slice(Math.max(last, 0), to).every((count, gap) => count === inFile[Math.max(last, 0) + gap]);
  if (isSame || (isFirst && to === 0) || (isLast && last === to - 1)) return between;
  if (isFirst && isLast) return fitPairs(between, { inOld, inFile });
  if (isFirst) return resized(between, sizes(to - 1), 'end');
  if (isLast) return resized(between, sizes(last), 'start');
  const isBare = between.every(isBlank);
  if (to === last + 1) {
    const { old, file } = sizes(last);
    if (isBare) return resized(between, { old, file }, 'start');
    return file === 0 && !between.some(isBlank) ? between : undefined;
  }
  if (isBare) return undefined;
  const start = resized(between, sizes(last), 'start');
  return start && resized(start, sizes(to - 1), 'end');
}

function fitPairs(lines: readonly string[], { inOld, inFile }: Pick<Gap, 'inOld' | 'inFile'>): readonly string[] {
  const inNew = gapsOf(lines.map(isBlank));
  const isPaired = inNew.length === inOld.length && inNew.every((count, gap) => count === inOld[gap]);
  if (!isPaired || isBlank(lines[0] ?? '')) return lines;
  const written = lines.filter((line) => !isBlank(line));
  return written.flatMap((line, index) => [line, ...blankLines(inFile[index] ?? 0)]);
}

/** With as many blank lines at one end as the file, if the new text has those of the old text or of the file. */
function resized(
  lines: readonly string[],
  { old, file }: { readonly old: number; readonly file: number },
  end: 'start' | 'end',
): readonly string[] | undefined {
  const index =
    end === 'start' ? lines.findIndex((line) => !isBlank(line)) : lines.findLastIndex((line) => !isBlank(line));
  const count = index === -1 ? lines.length : end === 'start' ? index : lines.length - 1 - index;
  if (count === file) return lines;
  if (count !== old) return undefined;
  return end === 'start'
    ? [...blankLines(file), ...lines.slice(count)]
    : [...lines.slice(0, lines.length - count), ...blankLines(file)];
}

function blankLines(count: number): readonly string[] {
  return Array.from({ length: count }, () => '');
}

function isBlank(line: string): boolean {
  return line.trim() === '';
}
