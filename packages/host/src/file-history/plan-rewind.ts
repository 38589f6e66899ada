import { realpath } from 'node:fs/promises';
import { relative } from 'node:path';
import type { RewoundFile } from '@qwen/agent';
import { AgentError, type FileState } from '@qwen/protocol';
import { createPathResolver, isProtectedFile, unifiedDiff } from '@qwen/tools';
import type { CopyStore } from './copy-store.js';
import { type FoundFile, findFile, isSameState } from './file-state.js';
import type { Change } from './journal.js';

export interface PlannedFile extends RewoundFile {
  readonly found: FoundFile;
  readonly target: FileState;
  /** Undefined unless the target is a file. */
  readonly bytes?: Uint8Array;
  /** Empty folders up to this one are removed with the file. */
  readonly newFolder?: string;
  readonly insertions: number;
  readonly deletions: number;
}

export interface PlanSources {
  readonly changes: readonly Change[];
  /** In order. */
  readonly messageIds: readonly string[];
  readonly copies: CopyStore;
  readonly roots: readonly string[];
}

/** The files that differ from their state before a message. Throws `message_not_found`. */
export async function planRewind(messageId: string, sources: PlanSources): Promise<readonly PlannedFile[]> {
  const { changes, messageIds } = sources;
  const index = messageIds.indexOf(messageId);
  if (index < 0) {
    const message = `The session has no user message ${messageId}.`;
    throw new AgentError('message_not_found', message, { data: { messageId } });
  }
  const undone = new Set(messageIds.slice(index));
  const byPath = new Map<string, Change[]>();
  for (const change of changes) {
    const known = byPath.get(change.path);
    if (known !== undefined) known.push(change);
    else if (undone.has(change.messageId)) byPath.set(change.path, [change]);
  }
  const files: PlannedFile[] = [];
  for (const path of [...byPath.keys()].toSorted()) {
    const file = await planFile(byPath.get(path) ?? [], sources);
    if (file !== undefined) files.push(file);
  }
  return files;
}

async function planFile(changes: readonly Change[], { copies, roots }: PlanSources): Promise<PlannedFile | undefined> {
  const [first] = changes;
  if (first === undefined) return undefined;
  const { path, before: target, newFolder } = first;
  const found = await findFile(path);
  if (isSameState(target, found.state)) return undefined;
  const isOurs = changes.every((change, index) => {
    const next = changes[index + 1]?.before ?? found.state;
    // A change that did not happen leaves the state before it.
    return isSameState(next, change.after) || isSameState(next, change.before);
  });
  const action = target.kind === 'missing' ? 'delete' : found.state.kind === 'missing' ? 'recreate' : 'restore';
  const bytes = target.kind === 'file' ? await copies.read(target.hash) : undefined;
  const refused =
    (await refusalOf(path, roots)) ??
    unrestorable(found.state, target) ??
    (target.kind === 'file' && bytes === undefined ? 'Its copy is no longer stored.' : undefined);
  const lines = refused === undefined ? await compareLines({ path, found, bytes }) : { insertions: 0, deletions: 0 };
  return {
    path,
    action,
    found,
    target,
    ...lines,
    ...(bytes !== undefined && { bytes }),
    ...(newFolder !== undefined && { newFolder }),
    ...(!isOurs && { changedSince: true }),
    ...(refused !== undefined && { refused }),
  };
}

/** Why a path is neither kept nor restored. */
export async function refusalOf(path: string, roots: readonly string[]): Promise<string | undefined> {
  for (const root of roots) {
    const { realPath, insideRoots } = await createPathResolver({ roots: [root] }).resolve(path, root);
    if (realPath !== path) return 'Its path now leads elsewhere.';
    if (!insideRoots) continue;
    const folder = await realpath(root);
    return isProtectedFile(relative(folder, path)) ? 'It is a protected file.' : undefined;
  }
  return 'It is outside of the workspace.';
}

function unrestorable(found: FileState, target: FileState): string | undefined {
  if (target.kind === 'unkept') return `No copy was kept: ${target.reason}`;
  // Without a copy of what is there, something could be lost.
  if (found.kind === 'unkept') return `It cannot be replaced: ${found.reason}`;
  if (found.kind === 'link') return 'It is a link now.';
  return target.kind === 'link' ? 'It was a link.' : undefined;
}

const MAX_COMPARED_BYTES = 1024 * 1024;

async function compareLines({
  path,
  found,
  bytes,
}: {
  readonly path: string;
  readonly found: FoundFile;
  readonly bytes: Uint8Array | undefined;
}): Promise<Pick<PlannedFile, 'insertions' | 'deletions' | 'diff'>> {
  const [before, after] = [toText(bytes), toText(found.bytes)];
  if (before === undefined || after === undefined) return { insertions: 0, deletions: 0 };
  const diff = await unifiedDiff({ path, before, after });
  // A rewind undoes the change.
  if (diff === undefined) return { insertions: linesOf(before), deletions: linesOf(after) };
  return { insertions: diff.removed, deletions: diff.added, diff: diff.text };
}

function toText(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined) return '';
  if (bytes.length > MAX_COMPARED_BYTES || bytes.includes(0)) return undefined;
  return Buffer.from(bytes).toString();
}

function linesOf(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
}
