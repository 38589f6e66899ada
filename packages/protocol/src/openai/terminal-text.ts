// What would steer a terminal: everything of the two control sets but the line feed and the tab.
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for.
const STEERING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * Text of a model or tool as it may be written to a terminal: line feeds and tabs stay, carriage returns go (they would
 * hide what stands before them), every other control character is written out as `\uXXXX`. What is done to a text is
 * done to its pieces, so that pieces and whole give the same.
 */
export function toTerminalText(text: string): string {
  return text.replace(STEERING, (character) =>
    character === '\r' ? '' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
