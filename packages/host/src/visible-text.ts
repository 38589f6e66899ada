/** What a terminal does not show, or shows elsewhere: control characters, invisible ones, changes of direction (S25). */
const UNSHOWN = /[^\P{C}]|[\u2028\u2029]/gu;

/** The text in one line, with each character that a terminal would not show written out as `\uXXXX`. */
export function toVisible(text: string): string {
  return text.replace(UNSHOWN, (character) =>
    Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
      .map((code) => `\\u${code.toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** The same line by line: line feeds stay. */
export function toVisibleLines(text: string): string {
  return text.split('\n').map(toVisible).join('\n');
}

/** One line of at most `maxLength` UTF-16 units and, where more was there, a mark that says how much. */
export function toVisibleLine(text: string, maxLength: number): string {
  const line = toVisible(text);
  if (line.length <= maxLength) return line;
  const shown = line.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
  return `${shown}… (${line.length - shown.length} characters more)`;
}
