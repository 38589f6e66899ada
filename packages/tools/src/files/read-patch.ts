import { AgentError } from '@qwen/protocol';

export interface PatchHunk {
  readonly oldText: string;
  readonly newText: string;
  /** Lines that precede the hunk, each after the one before. */
  readonly headers: readonly string[];
  /** Where the old text starts, counted from 1. */
  readonly line?: number;
  /** If several places match, use the one at the end of the file. */
  readonly isAtEnd?: boolean;
  /** Whether the file ends with a line end afterwards, if the hunk is at its end. Undefined: as before. */
  readonly endsLine?: boolean;
}

export type PatchedFile =
  | { readonly type: 'add'; readonly path: string; readonly text: string }
  /** `text`: what the file must contain, if known. */
  | { readonly type: 'delete'; readonly path: string; readonly text?: string }
  | {
      readonly type: 'update';
      readonly path: string;
      readonly moveTo?: string;
      readonly hunks: readonly PatchHunk[];
    };

const BEGIN = /^\*\*\* Begin Patch\s*$/i;
const END = /^\*\*\* End Patch\s*$/i;
const FILE = /^\*\*\* (Add|Delete|Update) File: *(\S.*?)\s*$/i;
const MOVE = /^\*\*\* Move to: *(\S.*?)\s*$/i;

/** In a patch on one line, which was encoded twice. */
const ESCAPED: ReadonlyMap<string, string> = new Map([
  ['\\n', '\n'],
  ['\\r', '\r'],
  ['\\t', '\t'],
  ['\\"', '"'],
  ['\\\\', '\\'],
]);

/**
 * Reads an `apply_patch` text, SEARCH/REPLACE blocks, or a unified diff of existing and new files. `path`: the file if
 * the text names none. Throws `invalid_tool_input`, also for a patch that stops before its end.
 */
export function readPatch(text: string, path?: string): readonly PatchedFile[] {
  const plain = text.trim().includes('\n')
    ? text
    : text.replaceAll(/\\[\\nrt"]/g, (escape) => ESCAPED.get(escape) ?? escape);
  const lines = withoutWrapper(plain.replaceAll('\r\n', '\n')).split('\n');
  while (lines.at(-1)?.trim() === '') lines.pop();
  const begin = lines.findIndex((line) => BEGIN.test(line));
  if (begin === -1) {
    return lines.some(isSearchMark) ? readBlocks(lines, path) : readUnifiedDiff(lines, path);
  }
  const end = lines.findIndex((line) => END.test(line));
  if (end === -1) throw invalid('it stops before *** End Patch. Send the complete patch again.');
  const files = joinSections(sections(lines.slice(begin + 1, end)).map(readSection));
  if (files.length === 0) throw invalid('it changes no file.');
  return files;
}

/** Several sections may change one file. */
function joinSections(files: readonly PatchedFile[]): readonly PatchedFile[] {
  const joined: PatchedFile[] = [];
  for (const file of files) {
    const index = joined.findIndex(({ type, path }) => type === 'update' && path === file.path);
    const same = joined[index];
    if (same?.type === 'update' && file.type === 'update' && same.moveTo === undefined) {
      joined[index] = { ...file, hunks: [...same.hunks, ...file.hunks] };
    } else joined.push(file);
  }
  return joined;
}

/** A code fence or a here-document around the patch. */
function withoutWrapper(text: string): string {
  const fenced = /^\s*(`{3,})\w*\n([\s\S]*)\n\1\s*$/.exec(text);
  const inner = fenced ?? /^\s*(?:apply_patch\s+)?<<\s*['"]?(\w+)['"]?\n([\s\S]*)\n\1\s*$/.exec(text);
  return (inner?.[2] ?? text).replace(/^\s*\n/, '');
}

interface Section {
  readonly type: string;
  readonly path: string;
  readonly body: string[];
}

function sections(lines: readonly string[]): readonly Section[] {
  const found: Section[] = [];
  for (const line of lines) {
    const [, type, path] = FILE.exec(line) ?? [];
    if (type !== undefined && path !== undefined) {
      found.push({ type: type.toLowerCase(), path: withoutQuotes(path), body: [] });
    } else if (found.length > 0) found.at(-1)?.body.push(line);
    else if (line.trim() !== '') throw invalid(`"${line}" is before the first *** Update File.`);
  }
  return found;
}

function withoutQuotes(path: string): string {
  return path.replace(/^(["'`])(.+)\1$/, '$2');
}

function readSection({ type, path, body }: Section): PatchedFile {
  if (type === 'delete') return { type: 'delete', path };
  if (type === 'add') {
    const bad = body.find((line) => !line.startsWith('+') && line.trim() !== '');
    if (bad !== undefined) throw invalid(`a line of the new file ${path} does not start with +: "${bad}"`);
    return { type: 'add', path, text: body.map((line) => `${line.slice(1)}\n`).join('') };
  }
  const moveTo = MOVE.exec(body[0] ?? '')?.[1];
  const hunks = readHunks(moveTo === undefined ? body : body.slice(1), path);
  if (hunks.length === 0 && moveTo === undefined) throw invalid(`it changes nothing in ${path}.`);
  return { type: 'update', path, hunks, ...(moveTo !== undefined && { moveTo }) };
}

const RANGES = /^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@/;

function readHunks(lines: readonly string[], path: string): readonly PatchHunk[] {
  const hunks: PatchHunk[] = [];
  let open = new OpenHunk();
  const finish = () => {
    hunks.push(...open.take());
    open = new OpenHunk();
  };
  for (const text of lines) {
    if (text.startsWith('@@')) {
      if (!open.isEmpty) finish();
      open.addHeader(text);
    } else if (text === '*** End of File') open.isAtEnd = true;
    else if (!open.add(text)) throw invalid(`a line of ${path} starts with none of " ", "+" and "-": "${text}"`);
  }
  finish();
  return hunks;
}

class OpenHunk {
  readonly #old: string[] = [];
  readonly #fresh: string[] = [];
  readonly #headers: string[] = [];
  #line: number | undefined;
  #lastMark = '';
  #oldIsBare = false;
  #freshIsBare = false;
  isAtEnd = false;

  get isEmpty(): boolean {
    return this.#old.length + this.#fresh.length === 0;
  }

  addHeader(text: string): void {
    const start = RANGES.exec(text)?.[1];
    const header = text.slice(2).replace(/\s*@@\s*$/, '');
    if (start !== undefined) this.#line = Number(start);
    else if (!/^[\s.]*$/.test(header)) this.#headers.push(header);
  }

  add(text: string): boolean {
    if (text.startsWith('\\ No newline')) {
      this.#oldIsBare ||= this.#lastMark !== '+';
      this.#freshIsBare ||= this.#lastMark !== '-';
      return true;
    }
    // A line of the file may lack the blank before it, as long as it is not another mark.
    const isBare = /^[^-+ *\\<>=]/.test(text);
    const mark = isBare ? ' ' : (text[0] ?? ' ');
    if (!['+', '-', ' '].includes(mark)) return false;
    this.#lastMark = mark;
    const line = isBare ? text : text.slice(1);
    if (mark !== '+') this.#old.push(line);
    if (mark !== '-') this.#fresh.push(line);
    return true;
  }

  /** None without a change. */
  take(): readonly PatchHunk[] {
    const texts = { oldText: this.#old.map(withEnd).join(''), newText: this.#fresh.map(withEnd).join('') };
    const changesEnd = this.#oldIsBare !== this.#freshIsBare;
    if (texts.oldText === texts.newText && !changesEnd) return [];
    return [
      {
        ...texts,
        headers: this.#headers,
        ...(this.#line !== undefined && { line: this.#line }),
        ...((this.isAtEnd || this.#oldIsBare || this.#freshIsBare) && { isAtEnd: true }),
        ...(changesEnd && { endsLine: this.#oldIsBare }),
      },
    ];
  }
}

function withEnd(line: string): string {
  return `${line}\n`;
}

const SEARCH = /^(?:<{5,}|-{5,}) ?SEARCH>?:? *$/;
const REPLACE = /^(?:>{5,}|\+{5,}) ?REPLACE *$/;

function isSearchMark(line: string): boolean {
  return SEARCH.test(line);
}

function readBlocks(lines: readonly string[], path: string | undefined): readonly PatchedFile[] {
  const files = new Map<string, PatchHunk[]>();
  let name = path;
  for (let at = 0; at < lines.length; at += 1) {
    if (!isSearchMark(lines[at] ?? '')) {
      name = path ?? fileNameIn(lines[at] ?? '') ?? name;
      continue;
    }
    const end = lines.findIndex((line, index) => index > at && REPLACE.test(line));
    if (end === -1 || lines.slice(at + 1, end).some(isSearchMark)) {
      throw invalid('a SEARCH block stops before its end. Send it again.');
    }
    const middle = dividerBetween(lines, at, end);
    if (name === undefined) throw invalid('a SEARCH block names no file. Set file_path.');
    const search = lines.slice(at + 1, middle);
    const line = Number(/^:start_line: *(\d+)/.exec(search[0] ?? '')?.[1]);
    const first = Number.isNaN(line) ? 0 : search.findIndex((text) => /^-{3,}$/.test(text)) + 1;
    const oldText = search.slice(first).map(withEnd).join('');
    const newText = lines
      .slice(middle + 1, end)
      .map(withEnd)
      .join('');
    const hunk = { oldText, newText, headers: [], ...(!Number.isNaN(line) && { line }) };
    files.set(name, [...(files.get(name) ?? []), hunk]);
    at = end;
  }
  return [...files].map(([file, hunks]) => {
    const [first] = hunks;
    const isNew = first?.oldText === '' && hunks.length === 1;
    return isNew ? { type: 'add', path: file, text: first.newText } : { type: 'update', path: file, hunks };
  });
}

/** The divider is as long as the opening mark, so that a text can contain other lines of equals signs. */
function dividerBetween(lines: readonly string[], start: number, end: number): number {
  const divider = '='.repeat(/^[<-]+/.exec(lines[start] ?? '')?.[0].length ?? 0);
  const found = lines.flatMap((line, index) =>
    index > start && index < end && line.trimEnd() === divider ? [index] : [],
  );
  const [middle] = found;
  if (middle === undefined) throw invalid(`a SEARCH block has no divider "${divider}". Send it again.`);
  if (found.length > 1) {
    throw invalid(
      `a SEARCH block has ${found.length} dividers "${divider}". Use longer marks if its text has such lines.`,
    );
  }
  return middle;
}

function fileNameIn(line: string): string | undefined {
  if (/^\s*(?:`{3,}|~{3,})\w*\s*$/.test(line)) return undefined;
  const name = line
    .trim()
    .replace(/^#+ */, '')
    .replaceAll(/^[`*]+|[`*:]+$/g, '');
  return /^[^\s`]+$/.test(name) && /[./\w]/.test(name) && !/^(?:={3,}|>{3,}|<{3,})/.test(name) ? name : undefined;
}

/** The files of a unified diff; git also names those without hunks. */
function readUnifiedDiff(lines: readonly string[], path: string | undefined): readonly PatchedFile[] {
  const isHead = (index: number) =>
    lines[index]?.startsWith('--- ') === true && lines[index + 1]?.startsWith('+++ ') === true;
  const firstHead = lines.findIndex((_, index) => isHead(index));
  const starts = lines.flatMap((line, index) => {
    if (line.startsWith('diff --git ')) return [index];
    // Removed and added lines may look like the names of files.
    const isOwn = isHead(index) && (index === firstHead || lines[index + 2]?.startsWith('@@') === true);
    return isOwn && !lines.slice(0, index).some((before) => before.startsWith('diff --git ')) ? [index] : [];
  });
  if (starts.length === 0) {
    const body = lines.slice(lines.findIndex((line) => line.startsWith('@@')));
    if (path === undefined || !lines.some((line) => line.startsWith('@@'))) {
      throw invalid('it has no *** Begin Patch, no ---/+++ lines and no SEARCH blocks.');
    }
    return [{ type: 'update', path, hunks: changesIn(body, path) }];
  }
  return starts.map((start, index) => readDiffOfFile(lines.slice(start, starts[index + 1] ?? lines.length)));
}

function readDiffOfFile(lines: readonly string[]): PatchedFile {
  const names = lines.findIndex((line, index) => line.startsWith('--- ') && lines[index + 1]?.startsWith('+++ '));
  const head = names === -1 ? lines : lines.slice(0, names);
  const after = (start: string) =>
    head
      .find((line) => line.startsWith(start))
      ?.slice(start.length)
      .trim();
  const [, left = '', right = ''] = /^diff --git (?:"?a\/)?(.*?)"? (?:"?b\/)?(.*?)"?$/.exec(head[0] ?? '') ?? [];
  if (names === -1) {
    const [from, to] = [after('rename from '), after('rename to ')];
    if (from !== undefined && to !== undefined) return { type: 'update', path: from, moveTo: to, hunks: [] };
    if (after('deleted file mode ') !== undefined && left !== '') return { type: 'delete', path: left };
    if (after('new file mode ') !== undefined && right !== '') return { type: 'add', path: right, text: '' };
    throw invalid('a file has no changes.');
  }
  const [from, to] = namesOf(lines[names] ?? '', lines[names + 1] ?? '');
  const hunks = changesIn(lines.slice(names + 2), to ?? from ?? '');
  if (from === undefined && to !== undefined) return { type: 'add', path: to, text: newFileText(hunks, to) };
  if (from !== undefined && to === undefined) {
    return { type: 'delete', path: from, text: hunks.map(({ oldText }) => oldText).join('') };
  }
  if (from === undefined || to === undefined) throw invalid('a file has no name.');
  return { type: 'update', path: from, hunks, ...(from !== to && { moveTo: to }) };
}

/** Blank lines may lack their +. */
function newFileText(hunks: readonly PatchHunk[], path: string): string {
  if (hunks.some(({ oldText }) => oldText.trim() !== '')) throw invalid(`the new file ${path} has old lines.`);
  const text = hunks.map(({ newText }) => newText).join('');
  return hunks.at(-1)?.endsLine === false ? text.replace(/\n$/, '') : text;
}

function changesIn(lines: readonly string[], path: string): readonly PatchHunk[] {
  const hunks = readHunks(lines, path);
  if (hunks.length === 0) throw invalid('a file has no changes.');
  return hunks;
}

/** Without the prefixes of git; undefined for no file. */
function namesOf(...lines: readonly [string, string]): readonly (string | undefined)[] {
  const names = lines.map((line) => withoutQuotes(line.slice(4).split('\t')[0]?.trim() ?? ''));
  const isNone = (name: string) => name === '/dev/null' || name === '';
  const bare = names.map((name, index) => (name.startsWith(index === 0 ? 'a/' : 'b/') ? name.slice(2) : name));
  const isGit = names.every((name, index) => isNone(name) || name !== bare[index]);
  // A prefix on one side only.
  const isHalfGit = names[0] !== names[1] && bare[0] === bare[1];
  return names.map((name, index) => (isNone(name) ? undefined : isGit || isHalfGit ? bare[index] : name));
}

function invalid(reason: string): AgentError {
  return new AgentError('invalid_tool_input', `Invalid patch: ${reason}`);
}
