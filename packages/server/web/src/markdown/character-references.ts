const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00A0',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  copy: '©',
  larr: '←',
  rarr: '→',
};

/** The characters that `&amp;`, `&#169;` and `&#xA9;` stand for; of the named ones, those that models write. */
export function resolveReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z]{1,10});/g, (whole: string, name: string) => {
    if (!name.startsWith('#')) return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? whole) : whole;
    const code = Number(name.slice(1).replace(/^[xX]/, '0x'));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD';
  });
}
