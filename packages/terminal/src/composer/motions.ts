import type { KeyAction } from '@qwen/protocol';
import { nextBorder, previousBorder } from './grapheme-borders.js';
import { endOf, lineAt, type Position, type TextBuffer } from './text-buffer.js';
import { blankStart, wordEnd, wordStart } from './word-borders.js';

export type Motion = (buffer: TextBuffer) => Position;

const toLeft: Motion = (buffer) => {
  const { line, offset } = buffer.cursor;
  if (offset === 0) return endOfLineBefore(buffer);
  return { line, offset: previousBorder(lineAt(buffer, line), offset) };
};

const toRight: Motion = (buffer) => {
  const { line, offset } = buffer.cursor;
  if (isAtLineEnd(buffer)) return startOfLineBehind(buffer);
  return { line, offset: nextBorder(lineAt(buffer, line), offset) };
};

const toWordStart: Motion = (buffer) => {
  const { line, offset } = buffer.cursor;
  if (offset === 0) return endOfLineBefore(buffer);
  return { line, offset: wordStart(lineAt(buffer, line), offset) };
};

const toWordEnd: Motion = (buffer) => {
  const { line, offset } = buffer.cursor;
  if (isAtLineEnd(buffer)) return startOfLineBehind(buffer);
  return { line, offset: wordEnd(lineAt(buffer, line), offset) };
};

const toBlankStart: Motion = (buffer) => {
  const { line, offset } = buffer.cursor;
  if (offset === 0) return endOfLineBefore(buffer);
  return { line, offset: blankStart(lineAt(buffer, line), offset) };
};

const toLineStart: Motion = ({ cursor }) => ({ line: cursor.line, offset: 0 });

const toLineEnd: Motion = (buffer) => {
  const { line } = buffer.cursor;
  return { line, offset: lineAt(buffer, line).length };
};

const toLineEndOrBehind: Motion = (buffer) => (isAtLineEnd(buffer) ? startOfLineBehind(buffer) : toLineEnd(buffer));

const toLineStartOrBefore: Motion = (buffer) =>
  buffer.cursor.offset === 0 ? endOfLineBefore(buffer) : toLineStart(buffer);

const toTextStart: Motion = () => ({ line: 0, offset: 0 });

const toTextEnd: Motion = ({ lines }) => endOf(lines);

function isAtLineEnd(buffer: TextBuffer): boolean {
  return buffer.cursor.offset >= lineAt(buffer, buffer.cursor.line).length;
}

function endOfLineBefore(buffer: TextBuffer): Position {
  const { line } = buffer.cursor;
  return line === 0 ? buffer.cursor : { line: line - 1, offset: lineAt(buffer, line - 1).length };
}

function startOfLineBehind(buffer: TextBuffer): Position {
  const { line } = buffer.cursor;
  return line + 1 < buffer.lines.length ? { line: line + 1, offset: 0 } : buffer.cursor;
}

export const MOVES: ReadonlyMap<KeyAction, Motion> = new Map([
  ['left', toLeft],
  ['right', toRight],
  ['wordLeft', toWordStart],
  ['wordRight', toWordEnd],
  ['lineStart', toLineStart],
  ['lineEnd', toLineEnd],
  ['textStart', toTextStart],
  ['textEnd', toTextEnd],
]);

export const DELETIONS: ReadonlyMap<KeyAction, Motion> = new Map([
  ['deleteLeft', toLeft],
  ['deleteRight', toRight],
]);

export const KILLS: ReadonlyMap<KeyAction, Motion> = new Map([
  ['deleteToSpace', toBlankStart],
  ['deleteWordLeft', toWordStart],
  ['deleteWordRight', toWordEnd],
  ['deleteToLineStart', toLineStartOrBefore],
  ['deleteToLineEnd', toLineEndOrBehind],
]);
