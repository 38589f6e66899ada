import {
  blockLevels,
  closesBlock,
  commonIndent,
  continuesExpression,
  indentOf,
  isFlattened,
  keepsBrackets,
  opensBlock,
} from './line-structure.js';
import { withLookAlikesOf } from './look-alikes.js';

/** With more lines that differ, comparing takes seconds. */
export const MAX_DIFFERENCES = 4_000;

export interface CarriedLines {
  readonly oldLines: readonly string[];
  readonly fileLines: readonly string[];
  readonly newLines: readonly string[];
  /** All lines of the file, for its unit of indentation. */
  readonly file: readonly string[];
}

/**
 * The new lines with the indentation of the file instead of the old text's. Unchanged lines stay as in the file.
 * Undefined if unclear.
 */
export async function carryIndentation(given: CarriedLines): Promise<readonly string[] | undefined> {
  const { diffArrays } = await import('diff');
  const lines = { ...given, oldLines: withIndentOfNew(given) };
  const { oldLines, fileLines, newLines } = lines;
  const indents = new Indents(lines);
  const carried: string[] = [];
  let at = 0;
  let removed: readonly number[] = [];
  const parts = diffArrays([...oldLines], [...newLines], { maxEditLength: MAX_DIFFERENCES });
  if (parts === undefined) return undefined;
  for (const part of parts) {
    const positions = part.value.map((_, index) => at + index);
    if (part.removed) {
      removed = positions;
      at += part.count;
    } else if (part.added) {
      const around = { before: carried.at(-1), after: fileLines[at], removed, added: part.value };
      const levels = indents.levels(part.value);
      if (levels === undefined) return undefined;
      for (const [index, line] of part.value.entries()) {
        // A line that takes the place of another can be as deep as that one.
        const pair = removed.length === part.count ? removed[index] : undefined;
        const written =
          pair === undefined
            ? line
            : withLookAlikesOf(line, { oldLine: oldLines[pair] ?? '', fileLine: fileLines[pair] ?? '' });
        const own = line.trim() === '' ? line : indents.apply(written, { pair, isFirst: carried.length === 0, around });
        if (own === undefined) return undefined;
        carried.push((levels[index] ?? '') + own);
      }
      removed = [];
    } else {
      carried.push(...positions.map((position) => fileLines[position] ?? ''));
      at += part.count;
      removed = [];
    }
  }
  return carried;
}

function withIndentOfNew({ oldLines, fileLines, newLines }: CarriedLines): readonly string[] {
  const [old, file, fresh] = [oldLines, fileLines, newLines].map(commonIndent);
  if (old === undefined || fresh === undefined || old === file || fresh !== file) return oldLines;
  const isDeeper = fresh.length > old.length && fresh.startsWith(old);
  if (!isDeeper || newLines.map(trimmed).join('\n') === oldLines.map(trimmed).join('\n')) return oldLines;
  return oldLines.map((line, index) => indentOf(fileLines[index] ?? '') + line.trimStart());
}

function trimmed(line: string): string {
  return line.trim();
}

interface Around {
  /** The lines of the file between which lines are added. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The positions of the lines that they replace. */
  readonly removed: readonly number[];
  readonly added: readonly string[];
}

interface LineContext {
  readonly pair: number | undefined;
  readonly isFirst: boolean;
  readonly around: Around;
}

interface Step {
  readonly from: string;
  readonly to: string;
}

class Indents {
  readonly #lines: CarriedLines;
  readonly #steps: readonly Step[];
  readonly #byOld = new Map<string, Set<string>>();
  readonly #isFirstTrimmed: boolean;

  constructor(lines: CarriedLines) {
    this.#lines = lines;
    const all = lines.oldLines.map((line, index) => ({
      from: indentOf(line),
      to: indentOf(lines.fileLines[index] ?? ''),
      isBlank: line.trim() === '',
    }));
    const [first, ...others] = all.filter(({ isBlank }) => !isBlank);
    this.#isFirstTrimmed = first !== undefined && first.from !== first.to && others.length > 0 && others.every(isKept);
    this.#steps = [...(first === undefined || this.#isFirstTrimmed ? [] : [first]), ...others];
    for (const { from, to } of this.#steps) this.#byOld.set(from, (this.#byOld.get(from) ?? new Set()).add(to));
  }

  apply(line: string, { pair, isFirst, around }: LineContext): string | undefined {
    const indent = indentOf(line);
    const { oldLines, fileLines } = this.#lines;
    if (this.#isFirstTrimmed) {
      if (!isFirst) return line;
      const [old, file] = [indentOf(oldLines[0] ?? ''), indentOf(fileLines[0] ?? '')];
      return indent === old || indent === file ? file + line.trimStart() : undefined;
    }
    if (this.#steps.every(isKept)) return line;
    const known = [...(this.#byOld.get(indent) ?? [])];
    const replaced = pair === undefined ? undefined : oldLines[pair];
    const isAlike =
      replaced !== undefined &&
      indentOf(replaced) === indent &&
      (known.length === 1 ||
        (opensBlock(replaced) === opensBlock(line) && closesBlock(replaced) === closesBlock(line)));
    const ofPair = pair !== undefined && isAlike ? indentOf(fileLines[pair] ?? '') : undefined;
    const own =
      ofPair ?? (known.length === 0 ? this.#extend(indent) : known.length === 1 ? known[0] : this.#depthAmong(around));
    return own === undefined ? undefined : own + line.trimStart();
  }

  /** What blocks without indentation add to that of their first line. Undefined if that is unclear. */
  levels(added: readonly string[]): readonly string[] | undefined {
    if (this.#isFirstTrimmed || this.#steps.every(isKept) || !isFlattened(added)) return [];
    const depths = new Set(added.filter((line) => line.trim() !== '').map(indentOf));
    const levels = depths.size === 1 ? blockLevels(added) : undefined;
    const unit = usesTabs(this.#lines.file) ? '\t' : ' '.repeat(unitOf(this.#lines.file));
    return levels?.map((level) => unit.repeat(level));
  }

  /** For lines without any indentation: as deep as the lines that they replace, or as those around them. */
  #depthAmong({ before, after, removed, added }: Around): string | undefined {
    const levels = blockLevels(added);
    if (levels === undefined || added.some(opensInside)) return undefined;
    const lines = added.filter((line, index) => levels[index] === 0 && !closesBlock(line) && line.trim() !== '');
    const isChain = lines.every(continuesExpression);
    // How deep it continues the line before is a matter of style.
    if (!isChain && lines.some(continuesExpression)) return undefined;
    if (removed.length > 0) {
      const replaced = removed.map((position) => this.#lines.fileLines[position] ?? '');
      return isChain === continuesExpression(replaced[0] ?? '') ? baseOf(replaced) : undefined;
    }
    if (isChain) {
      const depths = new Set([before ?? '', after ?? ''].filter(continuesExpression).map(indentOf));
      return depths.size === 1 ? [...depths][0] : undefined;
    }
    if (before === undefined || after === undefined || before.trim() === '' || after.trim() === '') return undefined;
    const [above, below] = [indentOf(before), indentOf(after)];
    const [opens, closes] = [opensBlock(before), closesBlock(after)];
    if (opens) return !closes && below.length > above.length ? below : undefined;
    if (closes) return above.length > below.length ? above : undefined;
    return above === below ? above : undefined;
  }

  #extend(indent: string): string | undefined {
    const unique = new Map(this.#steps.map((step) => [`${step.from}:${step.to}`, step]));
    const steps = [...unique.values()];
    if (new Set(steps.map(({ from }) => from)).size !== steps.length) return undefined;
    const used = [...steps.map(({ from }) => from), indent].join('');
    const written = steps.map(({ to }) => to).join('');
    if (isMixed(used) || isMixed(written)) return undefined;
    const scales = steps.length === 1 ? this.#scalesOf(steps[0], indent) : [scaleOf(steps)];
    const widths = new Set(
      scales.flatMap((scale) => (scale === undefined ? [] : [scale.base + scale.factor * indent.length])),
    );
    const [width] = widths;
    // Left of all old lines, the model may mean a block further out.
    const isLeft = steps.every(({ from }) => indent.length < from.length);
    if (isLeft && width !== indent.length && width !== 0) return undefined;
    if (widths.size !== 1 || width === undefined || width < 0 || !Number.isInteger(width)) return undefined;
    const unit = written[0] ?? (usesTabs(this.#lines.file) ? '\t' : ' ');
    return unit.repeat(width);
  }

  #scalesOf(step: Step | undefined, indent: string): (Scale | undefined)[] {
    if (step === undefined) return [];
    const { from, to } = step;
    const unit = unitOf(this.#lines.file);
    const fileTab = (to[0] ?? (usesTabs(this.#lines.file) ? '\t' : ' ')) === '\t';
    const modelTab = (from + indent)[0] === '\t';
    const ratio = from.length > 0 && to.length > 0 ? { base: 0, factor: to.length / from.length } : undefined;
    if (fileTab !== modelTab) {
      if (ratio !== undefined) return [ratio];
      const modelUnit = fileTab ? unitOf([...this.#lines.oldLines, ...this.#lines.newLines]) : 1;
      const factor = fileTab ? 1 / modelUnit : unit;
      return [{ base: to.length - factor * from.length, factor }];
    }
    const shift = { base: to.length - from.length, factor: 1 };
    if (ratio === undefined || fileTab) return [shift];
    // The depths in the file decide between the two.
    const fitting = [shift, ratio].filter(({ base, factor }) => (base + factor * indent.length) % unit === 0);
    return fitting.length === 0 ? [shift, ratio] : fitting;
  }
}

interface Scale {
  readonly base: number;
  readonly factor: number;
}

function scaleOf(steps: readonly Step[]): Scale | undefined {
  const [first, second] = steps;
  if (first === undefined || second === undefined) return undefined;
  const factor = (second.to.length - first.to.length) / (second.from.length - first.from.length);
  const base = first.to.length - factor * first.from.length;
  const isLinear = factor > 0 && steps.every(({ from, to }) => base + factor * from.length === to.length);
  return isLinear ? { base, factor } : undefined;
}

/** The depth of the first line, if blocks explain those of the others. */
function baseOf(lines: readonly string[]): string | undefined {
  const levels = blockLevels(lines);
  const [first = '', ...others] = lines.map(indentOf);
  const isExplained = others.every((indent, index) =>
    levels?.[index + 1] === 0 ? indent === first : indent.length > first.length,
  );
  return levels !== undefined && isExplained ? first : undefined;
}

function opensInside(line: string): boolean {
  return !opensBlock(line) && !closesBlock(line) && !keepsBrackets('', line);
}

function isKept({ from, to }: Step): boolean {
  return from === to;
}

function isMixed(indent: string): boolean {
  return indent.includes(' ') && indent.includes('\t');
}

function usesTabs(lines: readonly string[]): boolean {
  const indented = lines.map((line) => line[0]).filter((character) => character === ' ' || character === '\t');
  return indented.filter((character) => character === '\t').length * 2 > indented.length;
}

/** The most frequent step between the depths of consecutive lines, in spaces. */
function unitOf(lines: readonly string[]): number {
  const counts = new Map<number, number>();
  let before = 0;
  for (const line of lines) {
    if (line.trim() === '' || line.startsWith('\t')) continue;
    const width = indentOf(line).length;
    const step = Math.abs(width - before);
    if (step > 1) counts.set(step, (counts.get(step) ?? 0) + 1);
    before = width;
  }
  const [best] = [...counts].toSorted(([, left], [, right]) => right - left);
  return best?.[0] ?? 4;
}
