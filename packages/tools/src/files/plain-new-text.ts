import { AgentError } from '@qwen/protocol';
import { isCode } from './pasted-markup.js';
import { FENCE, FENCED, STRINGS, type TextReplacement } from './text-readings.js';

/**
 * The new text without JSON escapes or a code fence that the old text lacks. Only where certain: LaTeX commands, paths
 * and regular expressions contain backslashes too.
 */
export function plainNewText(written: TextReplacement, file: string, path: string): string {
  if (UNQUOTED.test(path)) return written.newText;
  return withoutEscapes({ ...written, newText: withoutFence(written, file) }, file);
}

/** Names of files whose text has fences, or backslashes outside of strings. */
const UNQUOTED =
  /\.(?:md|mdx|markdown|rst|adoc|tex|ipynb|properties|ini|env|conf|cfg|po|csv|vim)$|(?:^|[/\\])[^./\\]+$/i;

function withoutFence({ oldText, newText }: TextReplacement, file: string): string {
  const inner = FENCED.exec(newText)?.[2];
  if (inner === undefined || FENCE.test(oldText) || FENCE.test(file)) return newText;
  return oldText.endsWith('\n') ? `${inner}\n` : inner;
}

const ESCAPE = /\\[nrt"'`$\\]/;
/** A command or a name with backslashes, outside of a string. */
const COMMAND = /\\[A-Za-z]{3}/;
/** Can precede or follow a line break, but not the escape in an expression or in prose. */
const BEFORE = /[\w;{}:,)\]>"'`]$/;
const AFTER = /^(?:$|[\w\s}\])<"'`#@/*-]|\\[nrt"'])/;
const CLEARLY_BEFORE = /[;{},)]$/;
const CLEARLY_AFTER = /^(?:$| {2}|\\[nt])/;
const REGULAR_EXPRESSION = /(?<![/*<])\/(?![/*>\s])/;
const MAX_LOOK_BEHIND = 20;
const APOSTROPHE = /(?<![A-Za-z])(?!(?:rb|br|rf|fr)$)[A-Za-z]{2,}$/i;

function withoutEscapes({ oldText, newText }: TextReplacement, file: string): string {
  const isOneLine = !newText.replace(/\n$/, '').includes('\n');
  if (!isOneLine || !ESCAPE.test(newText) || ESCAPE.test(oldText)) return newText;
  const decoded = decodeOutsideStrings(newText.replaceAll('\\r\\n', '\\n'), oldText);
  if (decoded === undefined || decoded === oldText) return newText;
  if (REGULAR_EXPRESSION.test(decoded.replaceAll(STRINGS, ''))) return newText;
  return COMMAND.test(file.replaceAll(STRINGS, '')) || !startsOutsideString(file, oldText) ? newText : decoded;
}

/** Line ends of a program on one line. */
const WRITTEN_LINE_ENDS = /[\w;{}:,)\]>"'`](?:\\r)?\\n(?=$|[\w\s}\])<@#/*-]|\\[nrt"'])/g;

/**
 * The text of a file without escapes, if it is a program of several lines that is written on one. Throws
 * `invalid_tool_input` if some escapes may be meant.
 */
export function plainContent(content: string, path: string): string {
  const isOneLine = !content.trimEnd().includes('\n');
  if (!isOneLine || !isCode(path) || !content.includes('\\n')) return content;
  const outside = content.replaceAll(STRINGS, '""').match(WRITTEN_LINE_ENDS) ?? [];
  const all = content.match(WRITTEN_LINE_ENDS) ?? [];
  if (Math.max(outside.length, /\\["']/.test(content) ? all.length : 0) < 2) return content;
  const decoded = decodeOutsideStrings(content.replaceAll('\\r\\n', '\\n'), '');
  if (decoded !== undefined && !REGULAR_EXPRESSION.test(decoded.replaceAll(STRINGS, ''))) return decoded;
  throw new AgentError(
    'invalid_tool_input',
    'content is a program on one line with escapes \\n instead of line ends. Send it with real line ends.',
  );
}

/** Undefined if the escapes may be meant. */
function decodeOutsideStrings(text: string, oldText: string): string | undefined {
  const firstWord = /^\w+ /.exec(text)?.[0];
  const hasPlainQuotes = /(?<!\\)["'`]/.test(text);
  let [decoded, open, isCertain] = ['', '', false];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    const two = text.slice(at, at + 2);
    const isEscape = character === '\\';
    const quote = isEscape ? two : character;
    const before = text.slice(Math.max(at - MAX_LOOK_BEHIND, 0), at);
    if (open === '' && character === "'" && APOSTROPHE.test(before) && /^'[a-z]/.test(two)) decoded += character;
    else if (open === '' ? /^\\?["'`]$/.test(quote) : quote === open) {
      open = open === '' ? quote : '';
      decoded += quote.slice(-1);
      // A quote that is escaped outside of a string.
      isCertain ||= isEscape && !hasPlainQuotes && oldText.includes(quote.slice(-1));
      at += quote.length - 1;
    } else if (isEscape && open === '') {
      const after = text.slice(at + 2);
      if (!/^\\[nt]$/.test(two) || !isLineEnd(two, before, after)) return undefined;
      const isClear = CLEARLY_BEFORE.test(before) || CLEARLY_AFTER.test(after);
      isCertain ||= two === '\\n' && (isClear || (firstWord !== undefined && after.startsWith(firstWord)));
      decoded += two === '\\n' ? '\n' : '\t';
      at += 1;
    } else if (isEscape && open.length === 2) {
      const escaped = /^\\\\(\\["'`]|)/.exec(text.slice(at));
      if (escaped === null) return undefined;
      decoded += escaped[1] === '' ? '\\' : (escaped[1] ?? '');
      at += escaped[0].length - 1;
    } else {
      decoded += isEscape ? two : character;
      at += isEscape ? 1 : 0;
    }
  }
  return open === '' && isCertain ? decoded : undefined;
}

function isLineEnd(escape: string, before: string, after: string): boolean {
  if (/(?:^|\\[nt])$/.test(before)) return true;
  return escape === '\\n' && BEFORE.test(before) && AFTER.test(after);
}

/** Escaped quotes can be meant in a string. */
function startsOutsideString(file: string, oldText: string): boolean {
  const at = file.indexOf(oldText);
  const before = file.slice(file.lastIndexOf('\n', at) + 1, Math.max(at, 0));
  return !/["'`]/.test(before.replaceAll(STRINGS, ''));
}
