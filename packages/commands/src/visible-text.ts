/** Escapes control characters, e.g. `\x1b`, but keeps line breaks. */
export function toVisibleText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for.
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`;
  });
}
