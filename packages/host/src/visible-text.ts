/** Characters that a terminal hides or moves: control, invisible and bidirectional ones. */
const UNSHOWN = /[^\P{C}]|[\u2028\u2029]/gu;

/** The text on one line, with such characters as `\uXXXX`. */
export function toVisible(text: string): string {
  return text.replace(UNSHOWN, (character) =>
    Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
      .map((code) => `\\u${code.toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

export function toVisibleLines(text: string): string {
  return text.split('\n').map(toVisible).join('\n');
}

/** One line of at most `maxLength` UTF-16 units; says how much was cut. */
export function toVisibleLine(text: string, maxLength: number): string {
  const line = toVisible(text);
  if (line.length <= maxLength) return line;
  const shown = line.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
  return `${shown}… (${line.length - shown.length} characters more)`;
}
