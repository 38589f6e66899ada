import * as motions from './motions.js';

/** Keys that move the cursor within the text; up and down depend on the screen and are not among them. */
export const MOVES: ReadonlyMap<string, motions.Motion> = new Map([
  ['left', motions.toLeft],
  ['ctrl+b', motions.toLeft],
  ['right', motions.toRight],
  ['ctrl+f', motions.toRight],
  ['home', motions.toLineStart],
  ['ctrl+a', motions.toLineStart],
  ['end', motions.toLineEnd],
  ['ctrl+e', motions.toLineEnd],
  ['ctrl+left', motions.toWordStart],
  ['alt+left', motions.toWordStart],
  ['alt+b', motions.toWordStart],
  ['ctrl+right', motions.toWordEnd],
  ['alt+right', motions.toWordEnd],
  ['alt+f', motions.toWordEnd],
  ['ctrl+home', motions.toTextStart],
  ['ctrl+end', motions.toTextEnd],
]);

/** Keys that delete what lies between the cursor and where the motion leads. */
export const DELETIONS: ReadonlyMap<string, motions.Motion> = new Map([
  ['backspace', motions.toLeft],
  ['shift+backspace', motions.toLeft],
  ['ctrl+h', motions.toLeft],
  ['delete', motions.toRight],
  ['shift+delete', motions.toRight],
  ['ctrl+d', motions.toRight],
]);

/** The same, but what they delete can be put back with Ctrl-Y. */
export const KILLS: ReadonlyMap<string, motions.Motion> = new Map([
  ['ctrl+w', motions.toBlankStart],
  ['alt+backspace', motions.toWordStart],
  ['ctrl+backspace', motions.toWordStart],
  ['alt+d', motions.toWordEnd],
  ['alt+delete', motions.toWordEnd],
  ['ctrl+delete', motions.toWordEnd],
  ['ctrl+u', motions.toLineStartOrBefore],
  ['ctrl+k', motions.toLineEndOrBehind],
]);

/** Ctrl-/ is the same byte as Ctrl-_ on most terminals; others tell the key that is pressed. */
export const UNDO: ReadonlySet<string> = new Set(['ctrl+_', 'ctrl+/', 'ctrl+shift+-', 'ctrl+shift+_']);
export const REDO: ReadonlySet<string> = new Set(['alt+_', 'alt+-', 'ctrl+shift+z']);

/** Keys that make a new line. Terminals that cannot tell Shift-Enter from Enter send one of the others. */
export const NEW_LINE: ReadonlySet<string> = new Set(['shift+enter', 'alt+enter', 'ctrl+enter', 'ctrl+j']);
