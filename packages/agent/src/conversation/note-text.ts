/** A note as the model reads it: marked as something that nobody said. It cannot end its own marks. */
export function toNoteText(text: string): string {
  return `<system-note>\n${text.replaceAll(/<(\/?)system-note/gi, '&lt;$1system-note')}\n</system-note>`;
}
