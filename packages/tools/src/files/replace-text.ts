import { mainLineEnd, withLineEnds } from './text-encoding.js';

export interface TextReplacement {
  readonly oldText: string;
  readonly newText: string;
}

export interface ReplacedText {
  readonly text: string;
  readonly count: number;
  /** Line of the first occurrence, counted from 1; 0 if there is none. */
  readonly firstLine: number;
}

/** LF and CRLF match each other. Inserted lines get the line end that most of the file uses. */
export function replaceText(text: string, { oldText, newText }: TextReplacement): ReplacedText {
  const needle = withLineEnds(oldText, '\n');
  const pattern = new RegExp(escapeForRegExp(needle).replaceAll('\n', '\\r?\\n'), 'g');
  const replacement = withLineEnds(newText, mainLineEnd(text));
  const pieces: string[] = [];
  let end = 0;
  let first = -1;
  let count = 0;
  for (const match of text.matchAll(pattern)) {
    if (count === 0) first = match.index;
    pieces.push(text.slice(end, match.index), replacement);
    end = match.index + match[0].length;
    count += 1;
  }
  pieces.push(text.slice(end));
  const firstLine = first === -1 ? 0 : text.slice(0, first).split('\n').length;
  return { text: pieces.join(''), count, firstLine };
}

export function escapeForRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
