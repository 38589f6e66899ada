import { escapeHidden, type ToolResultOf } from '@qwen/protocol';

export interface DiffOptions {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

const CONTEXT_LINES = 3;
/** The diff blocks the event loop. */
const MAX_DIFF_MS = 100;

export interface UnifiedDiff {
  readonly text: string;
  readonly added: number;
  readonly removed: number;
  readonly hunks: ToolResultOf<'edit'>['structuredPatch'];
}

/** Returns undefined if the diff takes too long. */
export async function unifiedDiff({ path, before, after }: DiffOptions): Promise<UnifiedDiff | undefined> {
  const { FILE_HEADERS_ONLY, structuredPatch, formatPatch } = await import('diff');
  const { start, linesBefore, oldEnd, newEnd } = changedRegion(before, after);
  const name = escapeHidden(path);
  const patch = structuredPatch(name, name, before.slice(start, oldEnd), after.slice(start, newEnd), '', '', {
    context: CONTEXT_LINES,
    timeout: MAX_DIFF_MS,
  });
  if (patch === undefined) return undefined;
  for (const hunk of patch.hunks) {
    hunk.oldStart += linesBefore;
    hunk.newStart += linesBefore;
  }
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  const count = (mark: string) => lines.filter((line) => line.startsWith(mark)).length;
  return { text: formatPatch(patch, FILE_HEADERS_ONLY), added: count('+'), removed: count('-'), hunks: patch.hunks };
}

/** Only the changed lines with context, so that the cost does not depend on the file size. */
function changedRegion(before: string, after: string) {
  const shortest = Math.min(before.length, after.length);
  let head = 0;
  while (head < shortest && before.charCodeAt(head) === after.charCodeAt(head)) head += 1;
  let tail = 0;
  while (
    tail < shortest - head &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  ) {
    tail += 1;
  }
  const start = linesBack(before, head);
  const oldEnd = linesForward(before, before.length - tail);
  return { start, linesBefore: countLines(before, start), oldEnd, newEnd: after.length - (before.length - oldEnd) };
}

function linesBack(text: string, at: number): number {
  let index = at;
  for (let line = 0; line <= CONTEXT_LINES; line += 1) {
    if (index <= 0) return 0;
    index = text.lastIndexOf('\n', index - 1);
  }
  return index + 1;
}

function linesForward(text: string, at: number): number {
  let index = at - 1;
  for (let line = 0; line <= CONTEXT_LINES; line += 1) {
    index = text.indexOf('\n', index + 1);
    if (index === -1) return text.length;
  }
  return index + 1;
}

function countLines(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
