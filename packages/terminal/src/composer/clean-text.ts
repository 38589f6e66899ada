/** Sequences that steer a terminal: colours and moves, titles and links, and the strings of devices. */
const SEQUENCE =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]?/g;

const CONTROL = /[^\P{Cc}\n\t]/gu;

/** Halves of characters, and the characters that stand for atoms: nobody brings in one of his own. */
const REPLACED = /[\p{Cs}\u{10fc00}-\u{10ffff}]/gu;

/**
 * A text from outside as it may stand in the composer: lines end with `\n`, and what would steer a terminal is gone.
 * Characters that cannot be seen stay; they are shown by their numbers.
 */
export function cleanText(text: string): string {
  return text
    .replaceAll(SEQUENCE, '')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(CONTROL, '')
    .replaceAll(REPLACED, '\ufffd');
}
