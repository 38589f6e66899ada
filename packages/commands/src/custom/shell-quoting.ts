/** Where in a shell command a word stands: in the open, or in quotes. */
export type QuotableContext = 'plain' | 'single' | 'double';

/**
 * Here-documents, ANSI quotes, expansions, backticks and arithmetic read quotes in ways of their own, and `case` has
 * brackets that nothing opens.
 */
const OWN_RULES = /<<|\$['"{[]|`|\(\(|\[\[|\bcase\b/;

/** What a shell is in the middle of after reading `before`; undefined where no quoting is certain to hold. */
export function argumentContext(before: string): QuotableContext | undefined {
  if (OWN_RULES.test(before)) return undefined;
  // A substitution inside of double quotes begins afresh, and goes back to them when it is closed.
  const open: ('plain' | 'double')[] = ['plain'];
  let at = 0;
  while (at < before.length) {
    const character = before[at];
    const inside = open.at(-1);
    if (character === '\\') {
      if (at === before.length - 1) return undefined;
      at += 1;
    } else if (character === '"') {
      if (inside === 'double') open.pop();
      else open.push('double');
    } else if (before.startsWith('$(', at)) {
      open.push('plain');
      at += 1;
    } else if (inside === 'plain' && character === "'") {
      at = before.indexOf("'", at + 1);
      if (at === -1) return 'single';
    } else if (inside === 'plain' && character === '#' && /(?:^|[\s;&|()<>])$/.test(before.slice(0, at))) {
      at = before.indexOf('\n', at);
      if (at === -1) return undefined;
    } else if (inside === 'plain' && character === '(') {
      open.push('plain');
    } else if (inside === 'plain' && character === ')' && open.length > 1) {
      open.pop();
    }
    at += 1;
  }
  return open.at(-1) ?? 'plain';
}

/** A text as one word for a POSIX shell, for the place where it stands. Nothing in it is read as code. */
export function quoteArgument(text: string, context: QuotableContext): string {
  if (context === 'plain') return text === '' ? '' : singleQuoted(text);
  // Quotes around the place are closed before it and opened again behind it.
  const quote = context === 'double' ? '"' : "'";
  return `${quote}${singleQuoted(text)}${quote}`;
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
