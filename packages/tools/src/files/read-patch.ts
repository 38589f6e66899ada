import { AgentError } from '@qwen/protocol';

export interface PatchHunk {
  readonly oldText: string;
  readonly newText: string;
  /** Lines that precede the hunk, each after the one before. */
  readonly headers: readonly string[];
  /** Where the old text starts, counted from 1. */
  readonly line?: number;
}

export type PatchedFile =
  | { readonly type: 'add'; readonly path: string; readonly text: string }
  | { readonly type: 'delete'; readonly path: string }
  | {
      readonly type: 'update';
      readonly path: string;
      readonly moveTo?: string;
      readonly hunks: readonly PatchHunk[];
    };

const BEGIN = /^\*\*\* Begin Patch\s*$/;
const END = /^\*\*\* End Patch\s*$/;
const FILE = /^\*\*\* (Add|Delete|Update) File: *(\S.*?)\s*$/;
const MOVE = /^\*\*\* Move to: *(\S.*?)\s*$/;

/**
 * Reads an `apply_patch` text, or a unified diff of existing and new files. Throws `invalid_tool_input`, also for a patch
 * that stops before its end.
 */
export function readPatch(text: string): readonly PatchedFile[] {
  const lines = withoutWrapper(text.replaceAll('\r\n', '\n')).split('\n');
  while (lines.at(-1)?.trim() === '') lines.pop();
  if (!BEGIN.test(lines[0] ?? '')) return readUnifiedDiff(lines);
  if (!END.test(lines.at(-1) ?? '')) throw invalid('it stops before *** End Patch. Send the complete patch again.');
  const files = sections(lines.slice(1, -1));
  if (files.length === 0) throw invalid('it changes no file.');
  return files.map(readSection);
}

/** A code fence or a here-document around the patch. */
function withoutWrapper(text: string): string {
  const inner = /^\s*(?:```\w*|(?:apply_patch\s+)?<<\s*['"]?(\w+)['"]?)\n([\s\S]*)\n(?:```|\1)\s*$/.exec(text);
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
    if (type !== undefined && path !== undefined) found.push({ type, path, body: [] });
    else if (found.length > 0) found.at(-1)?.body.push(line);
    else if (line.trim() !== '') throw invalid(`"${line}" is before the first *** Update File.`);
  }
  return found;
}

function readSection({ type, path, body }: Section): PatchedFile {
  if (type === 'Delete') return { type: 'delete', path };
  if (type === 'Add') {
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
  let headers: string[] = [];
  let line: number | undefined;
  let [old, fresh]: [string[], string[]] = [[], []];
  const finish = () => {
    if (old.length + fresh.length === 0) return;
    const texts = { oldText: old.map(withEnd).join(''), newText: fresh.map(withEnd).join('') };
    if (texts.oldText !== texts.newText) hunks.push({ ...texts, headers, ...(line !== undefined && { line }) });
    [old, fresh, headers, line] = [[], [], [], undefined];
  };
  for (const text of lines) {
    const mark = text[0] ?? ' ';
    if (text.startsWith('@@')) {
      finish();
      const start = RANGES.exec(text)?.[1];
      if (start !== undefined) line = Number(start);
      else if (
        text
          .slice(2)
          .replace(/@@\s*$/, '')
          .trim() !== ''
      )
        headers.push(text.slice(2).replace(/\s+@@\s*$/, ''));
    } else if (text === '*** End of File' || text.startsWith('\\ No newline')) {
      // The end of the file needs no mark: the place is searched.
    } else if (mark === '+') fresh.push(text.slice(1));
    else if (mark === '-') old.push(text.slice(1));
    else if (mark === ' ') {
      old.push(text.slice(1));
      fresh.push(text.slice(1));
    } else throw invalid(`a line of ${path} starts with none of " ", "+" and "-": "${text}"`);
  }
  finish();
  return hunks;
}

function withEnd(line: string): string {
  return `${line}\n`;
}

function readUnifiedDiff(lines: readonly string[]): readonly PatchedFile[] {
  const starts = lines.flatMap((line, index) =>
    line.startsWith('--- ') && lines[index + 1]?.startsWith('+++ ') === true ? [index] : [],
  );
  if (starts.length === 0) throw invalid('it starts with neither *** Begin Patch nor ---/+++ lines.');
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? lines.length;
    const [from, to] = namesOf(lines[start] ?? '', lines[start + 1] ?? '');
    // Lines of git between two files.
    const body = lines.slice(start + 2, end);
    const next = body.findIndex((line) => /^(?:diff --git|index) /.test(line));
    const hunks = readHunks(next === -1 ? body : body.slice(0, next), to ?? from ?? '');
    if (hunks.length === 0) throw invalid('a file has no changes.');
    if (from === undefined && to !== undefined) return { type: 'add', path: to, text: hunks[0]?.newText ?? '' };
    if (from !== undefined && to === undefined) return { type: 'delete', path: from };
    if (from === undefined || to === undefined) throw invalid('a file has no name.');
    return { type: 'update', path: from, hunks, ...(from !== to && { moveTo: to }) };
  });
}

/** Without the prefixes of git; undefined for no file. */
function namesOf(...lines: readonly [string, string]): readonly (string | undefined)[] {
  const names = lines.map((line) => line.slice(4).split('\t')[0]?.trim() ?? '');
  const isNone = (name: string) => name === '/dev/null' || name === '';
  const isGit = names.every((name, index) => isNone(name) || name.startsWith(index === 0 ? 'a/' : 'b/'));
  return names.map((name) => (isNone(name) ? undefined : isGit ? name.slice(2) : name));
}

function invalid(reason: string): AgentError {
  return new AgentError('invalid_tool_input', `The patch is not as expected: ${reason}`);
}
