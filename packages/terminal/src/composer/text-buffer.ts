import { toBorder } from './grapheme-borders.js';

/** A place between two graphemes. */
export interface Position {
  readonly line: number;
  /** UTF-16 units within the line. */
  readonly offset: number;
}

/** Immutable. Edits share unchanged lines, so their cost does not depend on the text length, and undo is cheap. */
export interface TextBuffer {
  /** At least one, without line ends. */
  readonly lines: readonly string[];
  readonly cursor: Position;
  /** Column that vertical moves keep. */
  readonly goalColumn?: number;
}

export const EMPTY_BUFFER: TextBuffer = { lines: [''], cursor: { line: 0, offset: 0 } };

export function bufferOf(text: string): TextBuffer {
  const lines = text.split('\n');
  return { lines, cursor: endOf(lines) };
}

export function textOf({ lines }: TextBuffer): string {
  return lines.join('\n');
}

export function isEmpty({ lines }: TextBuffer): boolean {
  return lines.length === 1 && lines[0] === '';
}

export function lineAt({ lines }: Pick<TextBuffer, 'lines'>, index: number): string {
  return lines[index] ?? '';
}

export function endOf(lines: readonly string[]): Position {
  const line = lines.length - 1;
  return { line, offset: lines[line]?.length ?? 0 };
}

/** Its ends may be in any order. */
export interface TextRun {
  readonly from: Position;
  readonly to: Position;
}

export function replaceRun(buffer: TextBuffer, run: TextRun, text: string): TextBuffer {
  const { from, to } = inOrder(run);
  const inserted = text.split('\n');
  const first = lineAt(buffer, from.line).slice(0, from.offset) + (inserted[0] ?? '');
  const rest = lineAt(buffer, to.line).slice(to.offset);
  const isOneLine = inserted.length === 1;
  const last = isOneLine ? first : (inserted.at(-1) ?? '');
  const changed = isOneLine ? [first + rest] : [first, ...inserted.slice(1, -1), last + rest];
  const lines = [...buffer.lines.slice(0, from.line), ...changed, ...buffer.lines.slice(to.line + 1)];
  const line = from.line + inserted.length - 1;
  // Adjacent parts may have combined into one grapheme.
  return { lines, cursor: { line, offset: toBorder(lineAt({ lines }, line), last.length) } };
}

export function insertText(buffer: TextBuffer, text: string): TextBuffer {
  return replaceRun(buffer, { from: buffer.cursor, to: buffer.cursor }, text);
}

export function textBetween(buffer: TextBuffer, run: TextRun): string {
  const { from, to } = inOrder(run);
  if (from.line === to.line) return lineAt(buffer, from.line).slice(from.offset, to.offset);
  return [
    lineAt(buffer, from.line).slice(from.offset),
    ...buffer.lines.slice(from.line + 1, to.line),
    lineAt(buffer, to.line).slice(0, to.offset),
  ].join('\n');
}

export function withCursor({ lines }: TextBuffer, cursor: Position): TextBuffer {
  return { lines, cursor };
}

export function isSamePosition(one: Position, other: Position): boolean {
  return one.line === other.line && one.offset === other.offset;
}

function inOrder({ from, to }: TextRun): TextRun {
  const isForward = from.line < to.line || (from.line === to.line && from.offset <= to.offset);
  return isForward ? { from, to } : { from: to, to: from };
}

/** UTF-16 units from the start of the text, line ends included. */
export function offsetOf({ lines }: Pick<TextBuffer, 'lines'>, { line, offset }: Position): number {
  return lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + offset;
}

export function placeOf({ lines }: Pick<TextBuffer, 'lines'>, offset: number): Position {
  let left = Math.max(0, offset);
  for (const [line, text] of lines.entries()) {
    if (left <= text.length) return { line, offset: left };
    left -= text.length + 1;
  }
  return endOf(lines);
}
