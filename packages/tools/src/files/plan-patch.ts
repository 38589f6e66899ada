import { AgentError, escapeHidden } from '@qwen/protocol';
import { lineKey, splitLines } from './fit-text.js';
import { editableText, type LoadedFile } from './load-file.js';
import type { PlannedChange } from './planned-change.js';
import { type PatchedFile, type PatchHunk, readPatch } from './read-patch.js';
import { replaceText } from './replace-text.js';
import { encodeAs, mainLineEnd, PLAIN_UTF8, withLineEnds } from './text-encoding.js';

export interface EditTarget {
  readonly path: string;
  readonly realPath: string;
  readonly file: LoadedFile;
  readonly isPrivate: boolean;
}

/** Applies a patch in memory. Deletions come last, so that a failure before them can be undone. */
export async function planPatch(
  patch: string,
  openTarget: (path: string) => Promise<EditTarget>,
): Promise<readonly PlannedChange[]> {
  const changes: PlannedChange[] = [];
  for (const patched of readPatch(patch)) changes.push(...(await planFile(patched, openTarget)));
  const realPaths = new Set(changes.map(({ realPath }) => realPath));
  if (realPaths.size < changes.length) throw failed('The patch changes a file twice. Combine the sections of a file.');
  return changes.toSorted((left, right) => Number(left.bytes === undefined) - Number(right.bytes === undefined));
}

async function planFile(
  patched: PatchedFile,
  openTarget: (path: string) => Promise<EditTarget>,
): Promise<readonly PlannedChange[]> {
  const target = await openTarget(patched.path);
  const name = escapeHidden(target.path);
  if (patched.type === 'add') return [addition(target, patched.text)];
  if (patched.type === 'delete') {
    if (target.file.kind === 'missing') throw failed(`${name} does not exist and cannot be deleted.`);
    return [deletion(target, `Deleted ${name}.`)];
  }
  const before = editableText(target.file, target.path);
  const after = await applyHunks(before, patched.hunks, target);
  const form = target.file.kind === 'text' ? target.file.content : PLAIN_UTF8;
  const bytes = encodeAs(after, form, target.path);
  if (patched.moveTo === undefined) {
    if (after === before) throw failed(`The patch leaves ${name} as it is.`);
    const count = patched.hunks.length;
    return [{ ...target, before, after, bytes, note: `Edited ${name}: ${count} hunk${count === 1 ? '' : 's'}.` }];
  }
  const moved = await openTarget(patched.moveTo);
  assertNew(moved);
  const note = `Moved ${name} to ${escapeHidden(moved.path)}.`;
  return [{ ...moved, before: '', after, bytes, note }, deletion(target, '')];
}

function addition(target: EditTarget, text: string): PlannedChange {
  assertNew(target);
  const note = `Created ${escapeHidden(target.path)}.`;
  return { ...target, before: '', after: text, bytes: encodeAs(text, PLAIN_UTF8, target.path), note };
}

function deletion(target: EditTarget, note: string): PlannedChange {
  const before = target.file.kind === 'text' ? target.file.content.text : '';
  return { ...target, before, after: '', bytes: undefined, note };
}

function assertNew({ file, path }: EditTarget): void {
  if (file.kind !== 'missing') throw failed(`${escapeHidden(path)} exists already. Update it instead.`);
}

async function applyHunks(before: string, hunks: readonly PatchHunk[], target: EditTarget): Promise<string> {
  let [text, from, shift] = [before, 0, 0];
  for (const [index, hunk] of hunks.entries()) {
    const names = { file: escapeHidden(target.path), old: `Hunk ${index + 1}`, isPrivate: target.isPrivate };
    const after = positionAfter(text, hunk.headers, from);
    if (hunk.oldText === '') {
      const at = hunk.headers.length === 0 && hunk.line === undefined ? text.length : after;
      if (at === undefined) throw failed(`${names.old} adds lines at an unclear place of ${names.file}. Add context.`);
      const gap = at === text.length && text !== '' && !text.endsWith('\n') ? '\n' : '';
      const added = withLineEnds(gap + hunk.newText, mainLineEnd(text));
      text = text.slice(0, at) + added + text.slice(at);
      from = at + added.length;
    } else {
      const line = hunk.line === undefined ? undefined : hunk.line + shift;
      const made = await replaceText(text, { ...hunk, from, after, line }, names);
      text = made.text;
      from = made.end;
    }
    shift += countLines(hunk.newText) - countLines(hunk.oldText);
  }
  return text;
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}

/** The start of the line after the headers; undefined if there are none or one is not in the text exactly once. */
function positionAfter(text: string, headers: readonly string[], from: number): number | undefined {
  let position: number | undefined;
  for (const header of headers) {
    const key = lineKey(header);
    const start = position ?? from;
    const found = splitLines(text).filter((line) => line.start >= start && lineKey(line.text) === key);
    const [first] = found;
    if (first === undefined || found.length > 1) return undefined;
    position = first.start + first.text.length + first.lineEnd.length;
  }
  return position;
}

function failed(message: string): AgentError {
  return new AgentError('tool_failed', message);
}
