import { constants } from 'node:fs';
import { access, lstat, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { systemCodeOf } from '@qwen/protocol';
import { openFolder } from './anchored-open.js';
import { toFileError } from './file-error.js';
import { type FileStamp, staleFile, toFileStamp } from './file-ledger.js';
import { writeFileAtomic } from './write-file-atomic.js';

export interface ReplacedFile {
  readonly stamp: FileStamp;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

export interface ReplaceOptions {
  readonly realPath: string;
  readonly bytes: Uint8Array;
  /** Undefined if the file must not exist yet. */
  readonly previous: ReplacedFile | undefined;
  /** Default: that of `previous`, else 0666 less the umask. */
  readonly mode?: number;
}

/**
 * Replaces or creates a file in one step, with missing folders. Throws `stale_file` if it changed after `previous`
 * was taken, else `tool_failed`; nothing changes then.
 */
export async function replaceFile(options: ReplaceOptions): Promise<FileStamp> {
  const { realPath, bytes, previous, mode = previous?.mode } = options;
  try {
    await using folder = await openFolder(dirname(realPath), { create: previous === undefined });
    const target = folder.child(basename(realPath));
    // A rename needs no write permission on the file itself.
    if (previous !== undefined) await access(target, constants.W_OK);
    const change =
      previous === undefined
        ? { mode, overwrite: false }
        : {
            mode,
            owner: previous,
            beforeReplace: () => assertUnchanged(target, realPath, previous.stamp),
          };
    await writeFileAtomic(target, bytes, change);
    return toFileStamp(await lstat(target, { bigint: true }));
  } catch (error) {
    throw systemCodeOf(error) === 'EEXIST' ? staleFile(realPath) : toFileError(error, 'write', realPath);
  }
}

/** Throws like {@link replaceFile}. */
export async function removeFile(realPath: string, previous: ReplacedFile): Promise<void> {
  try {
    await using folder = await openFolder(dirname(realPath), { create: false });
    const target = folder.child(basename(realPath));
    await assertUnchanged(target, realPath, previous.stamp);
    await rm(target);
  } catch (error) {
    throw toFileError(error, 'delete', realPath);
  }
}

async function assertUnchanged(target: string, realPath: string, stamp: FileStamp): Promise<void> {
  const now = await lstat(target, { bigint: true }).catch(() => undefined);
  if (now === undefined || toFileStamp(now) !== stamp) throw staleFile(realPath);
}
