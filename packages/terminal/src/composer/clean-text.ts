/** Escape sequences that control a terminal. */
const SEQUENCE =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]?/g;

const CONTROL = /[^\P{Cc}\n\t]/gu;

/** Lone surrogates, and the placeholders of atoms. */
const REPLACED = /[\p{Cs}\u{10fc00}-\u{10ffff}]/gu;

/**
 * Normalizes external text: LF line ends, no control sequences. Invisible characters stay and are displayed by code
 * point.
 */
export function cleanText(text: string): string {
  return text
    .replaceAll(SEQUENCE, '')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(CONTROL, '')
    .replaceAll(REPLACED, '\ufffd');
}
