import { createHash } from 'node:crypto';
import { lstat, readlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AgentError, type FileState, systemCodeOf } from '@qwen/protocol';
import { openFile, type ReplacedFile } from '@qwen/tools';

/** A larger file is not kept. */
const MAX_FILE_BYTES = 10 * 1024 * 1024;

export interface FoundFile {
  readonly state: FileState;
  /** With `previous`, for a file that can be kept. */
  readonly bytes?: Uint8Array;
  readonly previous?: ReplacedFile;
}

/** Rejects only with system errors other than a missing file. */
export async function findFile(realPath: string): Promise<FoundFile> {
  try {
    const entry = await lstat(realPath);
    if (entry.isSymbolicLink()) return { state: { kind: 'link', target: await readlink(realPath) } };
    if (!entry.isFile()) return unkept('It is not a file.');
    if (entry.size > MAX_FILE_BYTES) return unkept(`It is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB.`);
    await using file = await openFile(realPath);
    const bytes = await file.handle.readFile();
    const { mode, uid, gid } = file.stats;
    const previous = { stamp: file.stamp, mode: Number(mode) & 0o7777, uid: Number(uid), gid: Number(gid) };
    const state = { kind: 'file', hash: hashOf(bytes), size: bytes.length, mode: previous.mode } as const;
    return { state, bytes, previous };
  } catch (thrown) {
    const code = systemCodeOf(thrown);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { state: { kind: 'missing' } };
    return unkept(AgentError.from(thrown).message);
  }
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function isSameState(one: FileState, other: FileState | undefined): boolean {
  switch (one.kind) {
    case 'missing':
      return other?.kind === 'missing';
    case 'file':
      return other?.kind === 'file' && one.hash === other.hash && one.mode === other.mode;
    case 'link':
      return other?.kind === 'link' && one.target === other.target;
    case 'unkept':
      return false;
  }
}

/** Undefined if the folder of the path exists. */
export async function firstMissingFolder(realPath: string): Promise<string | undefined> {
  let missing: string | undefined;
  for (let folder = dirname(realPath); folder !== dirname(folder); folder = dirname(folder)) {
    const exists = await lstat(folder).then(
      () => true,
      () => false,
    );
    if (exists) return missing;
    missing = folder;
  }
  return missing;
}

function unkept(reason: string): FoundFile {
  return { state: { kind: 'unkept', reason } };
}
