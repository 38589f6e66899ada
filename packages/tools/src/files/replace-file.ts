import { constants } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { openFolder } from './anchored-open.js';
import { errorCode, toFileError } from './file-error.js';
import { type FileStamp, staleFile, toFileStamp } from './file-ledger.js';
import { writeFileAtomic } from './write-file-atomic.js';

/** The file that is replaced, as it was when its content was loaded. */
export interface ReplacedFile {
  readonly stamp: FileStamp;
  /** Permission bits, owner and group, which the new file takes over. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

export interface ReplaceOptions {
  readonly realPath: string;
  readonly bytes: Uint8Array;
  /** Undefined for a file that must not exist yet. */
  readonly previous: ReplacedFile | undefined;
}

/**
 * Writes a whole file in one step: readers see the old content or the new one, never a part. Makes missing folders.
 * The file is a new one under the old name, so other hard links keep the old content (S36).
 *
 * Throws `stale_file` when the file changed after `previous` was taken or came into being meanwhile, otherwise
 * `tool_failed`; nothing is changed then.
 */
export async function replaceFile(options: ReplaceOptions): Promise<FileStamp> {
  const { realPath, bytes, previous } = options;
  try {
    await using folder = await openFolder(dirname(realPath), { create: previous === undefined });
    const target = folder.child(basename(realPath));
    // A rename asks only the folder, but a read-only file is one that its owner wants kept.
    if (previous !== undefined) await access(target, constants.W_OK);
    const change =
      previous === undefined
        ? { overwrite: false }
        : {
            mode: previous.mode,
            owner: previous,
            beforeReplace: () => assertUnchanged(target, realPath, previous.stamp),
          };
    await writeFileAtomic(target, bytes, change);
    return toFileStamp(await lstat(target, { bigint: true }));
  } catch (error) {
    throw errorCode(error) === 'EEXIST' ? staleFile(realPath) : toFileError(error, 'write', realPath);
  }
}

async function assertUnchanged(target: string, realPath: string, stamp: FileStamp): Promise<void> {
  const now = await lstat(target, { bigint: true }).catch(() => undefined);
  if (now === undefined || toFileStamp(now) !== stamp) throw staleFile(realPath);
}
