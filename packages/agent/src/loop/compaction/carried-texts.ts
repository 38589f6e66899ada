/** Texts below a heading, each with its length, so that its end is known, whatever it contains. */
export interface TextSection {
  readonly tag: string;
  /** For example `user message`. */
  readonly label: string;
  readonly intro: string;
}

export function renderTexts({ tag, label, intro }: TextSection, texts: readonly string[]): string {
  if (texts.length === 0) return '';
  const parts = texts.map((text, index) => `--- ${label} ${index + 1}, ${text.length} characters ---\n${text}`);
  return `<${tag}>\n${intro}\n\n${parts.join('\n\n')}\n</${tag}>`;
}

/** Undefined if the section is not at this place or is not complete. `end` is the place after it. */
export function readTexts(
  head: string,
  start: number,
  { tag, label }: TextSection,
): { readonly texts: readonly string[]; readonly end: number } | undefined {
  const mark = new RegExp(`--- ${label} \\d+, (\\d+) characters ---\\n`, 'y');
  const close = `\n</${tag}>`;
  if (!head.startsWith(`<${tag}>\n`, start)) return undefined;
  const texts: string[] = [];
  let at = head.indexOf(`--- ${label} `, start);
  for (;;) {
    mark.lastIndex = at;
    const [found, length] = mark.exec(head) ?? [];
    if (found === undefined) break;
    const textStart = at + found.length;
    texts.push(head.slice(textStart, textStart + Number(length)));
    at = textStart + Number(length);
    if (!head.startsWith('\n\n', at)) break;
    at += 2;
  }
  return head.startsWith(close, at) ? { texts, end: at + close.length } : undefined;
}
