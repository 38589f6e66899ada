/** The structure that lines show without a parser: what opens and closes blocks, and what continues an expression. */

const BRACKET = /(?:[{([]|\{\s*(?:\|[^|]*\||[\w$, ()]+(?:->|\bin))|=>|\bdo(?:\s*\|[^|]*\|)?|\bfn\b.*->)\s*$/;
const TAG =
  /^\s*(?:<(?!(?:area|br|col|hr|img|input|link|meta|source)\b)[A-Za-z][\w.:-]*(?:\s[^<]*)?(?<![/=])>|\{%-?\s*(?:block|call|filter|for|if|macro|with)\b[^%]*%\})\s*$/;
const WORD = /(?::|\bthen)\s*$/;
const CLOSING_WORD = /^\s*(?:end|else|elif|elsif|except|rescue|finally|ensure|case|default|when|esac|fi|done)\b/;
const CLOSING_MARK = /^\s*(?:[})\]]|<\/|\{%-?\s*(?:end|else|elif))/;
const CONTINUATION = /^\s*(?:[?!]{0,2}\.[A-Za-z_$]|&\.|\|>|\?:|&&|\|\||<\|>|<\$>|>>=)/;

function opensMarkedBlock(line: string): boolean {
  return BRACKET.test(line) || TAG.test(line);
}

export function opensBlock(line: string): boolean {
  return opensMarkedBlock(line) || WORD.test(line);
}

export function closesBlock(line: string): boolean {
  return CLOSING_MARK.test(line) || CLOSING_WORD.test(line);
}

/** `.map(…)`, `|> map()`: part of the expression of the line before. */
export function continuesExpression(line: string): boolean {
  return CONTINUATION.test(line);
}

/** Whether the new text opens and closes as many brackets as the old one. Roughly: brackets in strings count. */
export function keepsBrackets(oldText: string, newText: string): boolean {
  const [old, fresh] = [bracketDepths(oldText), bracketDepths(newText)];
  return old.end === fresh.end && fresh.lowest >= old.lowest;
}

function bracketDepths(text: string): { readonly end: number; readonly lowest: number } {
  let [end, lowest] = [0, 0];
  for (const bracket of text.match(/[()[\]{}]/g) ?? []) {
    end += '([{'.includes(bracket) ? 1 : -1;
    lowest = Math.min(lowest, end);
  }
  return { end, lowest };
}

/** The depth of each line by its blocks. Undefined if a block opens that has no mark at its end. */
export function blockLevels(lines: readonly string[]): readonly number[] | undefined {
  const levels: number[] = [];
  let level = 0;
  for (const line of lines) {
    if (closesBlock(line)) level -= 1;
    if (level < 0 || (opensBlock(line) && !opensMarkedBlock(line))) return undefined;
    levels.push(level);
    if (opensMarkedBlock(line)) level += 1;
  }
  return level === 0 ? levels : undefined;
}

/** Whether a block opens whose lines are not deeper, apart from lists of YAML and comments. */
export function isFlattened(lines: readonly string[]): boolean {
  const written = lines.filter((line) => line.trim() !== '');
  return written.some((line, index) => {
    const next = written[index + 1];
    if (next === undefined || !opensBlock(line) || closesBlock(next) || /^\s*(?:-|#|\/\/)/.test(next)) return false;
    return indentOf(next).length <= indentOf(line).length;
  });
}

export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

export function commonIndent(lines: readonly string[]): string {
  const indents = lines.filter((line) => line.trim() !== '').map(indentOf);
  const [first = ''] = indents.toSorted((left, right) => left.length - right.length);
  return indents.every((indent) => indent.startsWith(first)) ? first : '';
}
