import { AgentError, escapeHidden } from '@qwen/protocol';
import { describeNearest } from './describe-nearest.js';
import { splitLines } from './fit-text.js';
import { editableText, type LoadedFile } from './load-file.js';
import { lineKey } from './look-alikes.js';
import { assertComplete } from './omission.js';
import type { PlannedChange } from './planned-change.js';
import type { PatchedFile, PatchHunk } from './read-patch.js';
import { type ChangeNames, type ReplacedText, replaceText, type TextChange } from './replace-text.js';
import { encodeAs, mainLineEnd, PLAIN_UTF8, withLineEnds } from './text-encoding.js';

export interface EditTarget {
  readonly path: string;
  readonly realPath: string;
  readonly file: LoadedFile;
  readonly isPrivate: boolean;
}

/** Applies a patch in memory. Deletions come last, so that a failure before them can be undone. */
export async function planPatch(
  patched: readonly PatchedFile[],
  openTarget: (path: string) => Promise<EditTarget>,
): Promise<readonly PlannedChange[]> {
  const changes: PlannedChange[] = [];
  for (const file of patched) changes.push(...(await planFile(file, openTarget)));
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
    assertContains(target, patched.text);
    return [deletion(target, `Deleted ${name}.`)];
  }
  if (target.file.kind === 'missing') throw failed(`${name} does not exist. To create it, add it with the patch.`);
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

/** A diff that deletes a file has all of its lines. */
function assertContains({ file, path, isPrivate }: EditTarget, text: string | undefined): void {
  if (text === undefined || file.kind !== 'text') return;
  const keys = (content: string) => splitLines(content).map((line) => lineKey(line.text));
  const [own, wanted] = [keys(file.content.text), keys(text)];
  if (own.length === wanted.length && own.every((key, index) => key === wanted[index])) return;
  const nearest = isPrivate ? '' : ` ${describeNearest(file.content.text, text)}`;
  throw failed(`${escapeHidden(path)} has other lines than the patch deletes.${nearest}`);
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
    assertComplete(hunk.newText, before, names.old);
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
      const made = await replaceHunk(text, { ...hunk, from, after, line }, names);
      text = made.text;
      from = made.end;
      if (hunk.endsLine !== undefined && text.slice(from).trim() === '') {
        text = text.trimEnd() === '' ? text : text.replace(/[\r\n]+$/, '') + (hunk.endsLine ? mainLineEnd(text) : '');
        from = text.length;
      }
    }
    shift += countLines(hunk.newText) - countLines(hunk.oldText);
  }
  return text;
}

/** Looks after the previous hunk first, then anywhere: models do not always keep the order. */
async function replaceHunk(text: string, change: TextChange, names: ChangeNames): Promise<ReplacedText> {
  try {
    return await replaceText(text, change, names);
  } catch (error) {
    const isAlone = change.from === 0 || change.from === undefined;
    if (isAlone || (AgentError.is(error) && error.data['found'] !== undefined)) throw error;
    return await replaceText(text, { ...change, from: 0, after: undefined }, names).catch(() => {
      throw error;
    });
  }
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}

/**
 * The start of the line after the headers. Undefined without headers, or if one does not occur exactly once. Git cuts
 * headers, so the start of a line also counts.
 */
function positionAfter(text: string, headers: readonly string[], from: number): number | undefined {
  let position: number | undefined;
  for (const header of headers) {
    const key = lineKey(header);
    const start = position ?? from;
    const lines = splitLines(text).filter((line) => line.start >= start);
    const whole = lines.filter((line) => lineKey(line.text) === key);
    const found = whole.length > 0 ? whole : lines.filter((line) => lineKey(line.text).startsWith(key));
    const [first] = found;
    if (first === undefined || found.length > 1) return undefined;
    position = first.start + first.text.length + first.lineEnd.length;
  }
  return position;
}

function failed(message: string): AgentError {
  return new AgentError('tool_failed', message);
}
