import {
  closesBlock,
  continuesExpression,
  indentOf,
  isFlattened,
  keepsBrackets,
  opensBlock,
} from './line-structure.js';
import { withLineEnds } from './text-encoding.js';
import type { TextReplacement } from './text-readings.js';

/** Its lines have their own indentation, or start at the margin. */
const VERBATIM = /<<|`|"""|'''|^#\s*(?:if|ifdef|ifndef|else|elif|endif|define|undef|include|pragma)\b/m;

/** May start where the block of the line ends. */
const DEFINITION = /^\s*(?:[\w@]+ )*(?:class|def|fn|fun|func|function|module|struct|trait|impl|interface)\b|^\s*@/;

interface Occurrence extends TextReplacement {
  readonly start: number;
  readonly end: number;
}

/**
 * For an old text that lacks the indentation of its line: whether the new text repeats that indentation, lacks it in its
 * other lines as well (`missing`), or is meant literally.
 */
export function indentMeaning(text: string, occurrence: Occurrence): 'literal' | 'repeated' | 'missing' {
  const { start, end, oldText, newText } = occurrence;
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  const old = withLineEnds(oldText, '\n').trimEnd().split('\n');
  const [fresh = '', ...others] = withLineEnds(newText, '\n').split('\n');
  const own = indentOf(old[0] ?? '');
  const indent = before + own;
  if (!/^[ \t]+$/.test(before) || old[0]?.trim() === '') return 'literal';
  const written = others.filter((line) => line.trim() !== '');
  const isInLine = written.every((line) => line.startsWith(indent));
  if (indentOf(fresh) === indent) {
    const isChanged = fresh.trim() !== old[0]?.trim() || others.length > 0;
    return isChanged && (isInLine || old.length > 1) ? 'repeated' : 'literal';
  }
  if (indentOf(fresh) !== own || old.length > 1 || written.length === 0) return 'literal';
  if (!isWholeLine(text, occurrence) || VERBATIM.test(newText) || !keepsBrackets(oldText, newText)) return 'literal';
  const isTooLeft = isInLine
    ? isFlattened([before + fresh, ...written])
    : // The indentation of the old text is that of a whole line, and too short.
      own !== '' || endsBlock({ written, indent, old: old[0] ?? '', next: nextLine(text, end) });
  return isTooLeft ? 'missing' : 'literal';
}

interface WrittenLines {
  /** Without the first one. */
  readonly written: readonly string[];
  readonly indent: string;
  readonly old: string;
  readonly next: string;
}

function endsBlock({ written, indent, old, next }: WrittenLines): boolean {
  if (written.every((line) => continuesExpression(line) || closesBlock(line))) return true;
  if (written.some((line) => line.trim() === old.trim() && !line.startsWith(indent))) return true;
  const last = written.at(-1) ?? '';
  const depth = indentOf(next).length;
  if (closesBlock(next) && depth < indent.length) return true;
  if (depth > indentOf(last).length && !opensBlock(last)) return true;
  return depth >= indent.length && !written.some((line) => DEFINITION.test(line));
}

function isWholeLine(text: string, { end, oldText }: Occurrence): boolean {
  return oldText.endsWith('\n') || /^[ \t]*(?:\r?\n|$)/.test(text.slice(end));
}

function nextLine(text: string, from: number): string {
  const [line = ''] = /^.*\S.*$/m.exec(text.slice(from)) ?? [];
  return line;
}
