import * as motions from './motions.js';

/** Up and down depend on the layout and are handled elsewhere. */
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

export const DELETIONS: ReadonlyMap<string, motions.Motion> = new Map([
  ['backspace', motions.toLeft],
  ['shift+backspace', motions.toLeft],
  ['ctrl+h', motions.toLeft],
  ['delete', motions.toRight],
  ['shift+delete', motions.toRight],
  ['ctrl+d', motions.toRight],
]);

/** Deletions that Ctrl-Y can restore. */
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

/** Most terminals send the same byte for Ctrl-/ and Ctrl-_. */
export const UNDO: ReadonlySet<string> = new Set(['ctrl+_', 'ctrl+/', 'ctrl+shift+-', 'ctrl+shift+_']);
export const REDO: ReadonlySet<string> = new Set(['alt+_', 'alt+-', 'ctrl+shift+z']);

/** Terminals that cannot report Shift-Enter send one of the others. */
export const NEW_LINE: ReadonlySet<string> = new Set(['shift+enter', 'alt+enter', 'ctrl+enter', 'ctrl+j']);
