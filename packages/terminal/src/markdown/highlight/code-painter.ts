import { toShown } from '../../lines/shown-text.js';
import type { Segment, StyledLine } from '../../lines/styled-line.js';
import { CODE_STYLES, type CodeRole, type Grammar, type Rule } from './grammar.js';
import { grammarOf } from './languages.js';

/** Longer lines stay plain and do not change the open rule. */
const MAX_LENGTH = 2_000;

/** Colours the lines of one code block in order; open strings and comments continue. */
export type CodePainter = (text: string) => StyledLine;

export const PLAIN_CODE: CodePainter = (text) => [{ text: toShown(text) }];

/** `language`: the info string of the fence or a file extension. */
export function codePainter(language: string): CodePainter {
  const grammar = grammarOf(language);
  if (grammar === undefined) return PLAIN_CODE;
  const { anyRule, ends } = compile(grammar);
  let open: Rule | undefined;
  return (text) => {
    const shown = toShown(text);
    if (shown.length > MAX_LENGTH) return [{ text: shown }];
    const segments: Segment[] = [];
    let done = 0;
    const take = (end: number, role?: CodeRole): void => {
      if (end > done) segments.push({ ...(role !== undefined && CODE_STYLES[role]), text: shown.slice(done, end) });
      done = end;
    };
    /** Consumes up to the end of the open rule, or the whole line. */
    const takeOpen = (rule: Rule, from: number): void => {
      const end = endOf(shown, { from, pattern: ends.get(rule) });
      open = end === undefined ? rule : undefined;
      take(end ?? shown.length, rule.role);
    };
    if (open !== undefined) takeOpen(open, 0);
    while (done < shown.length) {
      anyRule.lastIndex = done;
      const match = anyRule.exec(shown);
      if (match === null) break;
      const end = match.index + match[0].length;
      const rule = grammar.rules[match.slice(1).findIndex((group) => group !== undefined)];
      take(match.index);
      if (rule?.until === undefined) take(end, rule?.role);
      else takeOpen(rule, end);
    }
    take(shown.length);
    return segments;
  };
}

interface Compiled {
  readonly anyRule: RegExp;
  readonly ends: ReadonlyMap<Rule, RegExp>;
}

const COMPILED = new WeakMap<Grammar, Compiled>();

function compile(grammar: Grammar): Compiled {
  const known = COMPILED.get(grammar);
  if (known !== undefined) return known;
  const flags = grammar.ignoresCase === true ? 'gi' : 'g';
  const compiled: Compiled = {
    anyRule: new RegExp(grammar.rules.map(({ pattern }) => `(${pattern})`).join('|'), flags),
    ends: new Map(
      grammar.rules.flatMap((rule) =>
        rule.until === undefined ? [] : [[rule, new RegExp(String.raw`\\.|${rule.until}`, flags)] as const],
      ),
    ),
  };
  COMPILED.set(grammar, compiled);
  return compiled;
}

/** After the first end that is not escaped. */
function endOf(
  text: string,
  { from, pattern }: { readonly from: number; readonly pattern: RegExp | undefined },
): number | undefined {
  if (pattern === undefined) return undefined;
  pattern.lastIndex = from;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (!match[0].startsWith('\\')) return pattern.lastIndex;
  }
  return undefined;
}
