import { readStyledText } from '@qwen/host/styled-output/styled-text.js';
import { type FoldOptions, foldMiddle } from '../lines/fold-lines.js';
import { toShown } from '../lines/shown-text.js';
import type { Segment, StyledLine, TextStyle } from '../lines/styled-line.js';
import { chopLine, wrapLine } from '../lines/wrap-line.js';
import { applySgr } from './sgr-style.js';

/** UTF-16 units; longer output lines are cut. */
const MAX_LENGTH = 10_000;

interface OutputOptions extends FoldOptions {
  /** Breaks lines between words. Default false: at the column, as a terminal does. */
  readonly isProse?: boolean;
}

export function outputLines(printed: string, options: OutputOptions): StyledLine[] {
  const { columns, maxLines, isProse = false } = options;
  const lines = coloredLines(printed);
  // Every line takes at least one row, so the middle need not be drawn.
  const isLong = lines.length > 2 * maxLines;
  const head = isLong ? lines.slice(0, maxLines) : lines;
  const tail = isLong ? lines.slice(-maxLines) : [];
  const draw = (some: readonly StyledLine[]) => some.flatMap((line) => (isProse ? wrapLine : chopLine)(line, columns));
  const between = Array.from({ length: lines.length - head.length - tail.length }, (): StyledLine => []);
  return foldMiddle([...draw(head), ...between, ...draw(tail)], options);
}

export function outputTail(printed: string, { columns, maxLines }: FoldOptions): StyledLine[] {
  return coloredLines(printed)
    .slice(-maxLines)
    .flatMap((line) => chopLine(line, columns))
    .slice(-maxLines);
}

function coloredLines(printed: string): StyledLine[] {
  const { text, ansi } = readStyledText(printed.trimEnd());
  const lines: Segment[][] = [[]];
  let style: TextStyle = {};
  let done = 0;
  const take = (end: number): void => {
    const [first = '', ...rest] = text.slice(done, end).split('\n');
    done = end;
    for (const [index, words] of [first, ...rest].entries()) {
      if (index > 0) lines.push([]);
      if (words !== '') lines.at(-1)?.push({ ...style, text: toShown(words.slice(0, MAX_LENGTH)) });
    }
  };
  for (const { offset, sequence } of ansi) {
    take(offset);
    style = applySgr(style, sequence);
  }
  take(text.length);
  return lines;
}
