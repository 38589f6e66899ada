/** Which characters a text holds, as far as 32 bits can tell: the letters of ASCII one each, all others share six. */
export function characterSet(text: string): number {
  let set = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    set |= 1 << (code >= 0x61 && code <= 0x7a ? code - 0x61 : 26 + (code % 6));
  }
  return set;
}

/** Whether a text with the first set can hold all characters of one with the second. */
export function mayHold(set: number, wanted: number): boolean {
  return (set & wanted) === wanted;
}
