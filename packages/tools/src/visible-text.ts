/** A file name on one line: control characters, also those of terminals, are written out as `\xNN` (S46). */
export function toVisibleName(name: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for.
  return name.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`;
  });
}

/** Whether a name held bytes that are not UTF-8, so that what we show cannot be used to open it (F154). */
export function hasLostBytes(name: string): boolean {
  return name.includes('\ufffd');
}
