export type QuotableContext = 'plain' | 'single' | 'double';

/** Constructs with their own quoting rules, and `case`, which has unbalanced parentheses. */
const OWN_RULES = /<<|\$['"{[]|`|\(\(|\[\[|\bcase\b/;

/** The context after `before`; undefined if quoting is not safe there. */
export function argumentContext(before: string): QuotableContext | undefined {
  if (OWN_RULES.test(before)) return undefined;
  // `$(…)` inside double quotes starts a new context.
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

export function quoteArgument(text: string, context: QuotableContext): string {
  if (context === 'plain') return text === '' ? '' : singleQuoted(text);
  // Closes the surrounding quotes and reopens them.
  const quote = context === 'double' ? '"' : "'";
  return `${quote}${singleQuoted(text)}${quote}`;
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
