export function lineKey(line: string): string {
  if (isAscii(line)) return line.trim();
  return asciiCharacters(line).normalize('NFC').trim();
}

function asciiCharacters(text: string): string {
  return plainCharacters(text)
    .replaceAll(/[\u200b-\u200d\u2060\ufeff]/g, '')
    .replaceAll('…', '...');
}

/** The model writes look-alikes that the old text has and the file lacks instead of ASCII, also in the new text. */
export function withoutStrangers(newText: string, oldText: string, inFile: string): string {
  if (isAscii(newText)) return newText;
  const strangers = new Set([...oldText].filter((one) => !inFile.includes(one) && asciiCharacters(one) !== one));
  return [...newText].map((one) => (strangers.has(one) ? asciiCharacters(one) : one)).join('');
}

/** Look-alikes as ASCII, each as one character. */
export function plainCharacters(text: string): string {
  if (isAscii(text)) return text;
  return text
    .replaceAll(/[\u2018\u2019\u201a\u201b\u2032\u02b9\u02bc]/g, "'")
    .replaceAll(/[\u201c\u201d\u201e\u201f\u2033\u02ba]/g, '"')
    .replaceAll(/[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g, '-')
    .replaceAll(/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g, ' ');
}

function isAscii(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- the range of ASCII.
  return !/[^\0-\x7f]/.test(text);
}

/**
 * Puts look-alikes of the file back into a changed line: in its unchanged start and end, and for characters that occur
 * as often as before.
 */
export function withLookAlikesOf(
  newLine: string,
  { oldLine, fileLine }: { readonly oldLine: string; readonly fileLine: string },
): string {
  if (isAscii(fileLine)) return newLine;
  const [old, kept] = [oldLine.trim(), fileLine.trim()];
  if (old.length !== kept.length || plainCharacters(old) !== plainCharacters(kept)) return newLine;
  const indent = newLine.length - newLine.trimStart().length;
  const text = newLine.slice(indent);
  const fresh = text.split('');
  const last = fresh.length - old.length;
  const start = fresh.findIndex((one, at) => one !== old[at]);
  const end = fresh.findLastIndex((one, at) => one !== old[at - last]);
  const changed = start === -1 ? [] : fresh.slice(start, end + 1);
  const paired = new Map([...pairsOf("'", text, old), ...pairsOf('"', text, old), ...pairsOf('-', text, old)]);
  // Quotation marks of one line stay alike.
  const mixed = [`'`, `"`].filter((mark) => changed.includes(mark));
  const written = fresh.map((one, at) => {
    const unchanged = at < start || start === -1 ? at : at > end ? at - last : undefined;
    const from = paired.get(at) ?? (mixed.includes(one) ? undefined : unchanged);
    return from !== undefined && old[from] === one ? (kept[from] ?? one) : one;
  });
  return newLine.slice(0, indent) + written.join('');
}

/** The places of a character in both texts, if it occurs equally often. */
function pairsOf(character: string, text: string, old: string): readonly (readonly [number, number | undefined])[] {
  const [after, before] = [placesOf(character, text), placesOf(character, old)];
  return after.length === before.length ? after.map((at, index) => [at, before[index]]) : [];
}

function placesOf(character: string, text: string): number[] {
  return text.split('').flatMap((one, at) => (one === character ? [at] : []));
}
