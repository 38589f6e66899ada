import { constants } from 'node:fs';
import { access, type FileHandle, link, lstat, open, rename, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { errorCode } from '../workspace.js';
import { openFolder } from './anchored-open.js';
import { toFileError } from './file-error.js';
import { type FileStamp, staleFile, toFileStamp } from './file-ledger.js';

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
    const temporary = folder.child(`.qwen-${crypto.randomUUID()}.tmp`);
    try {
      await writeNew(temporary, bytes, previous);
      if (previous === undefined) await moveToFreeName(temporary, target);
      else {
        await assertUnchanged(target, realPath, previous.stamp);
        await rename(temporary, target);
      }
    } finally {
      await rm(temporary, { force: true });
    }
    return toFileStamp(await lstat(target, { bigint: true }));
  } catch (error) {
    throw errorCode(error) === 'EEXIST' ? staleFile(realPath) : toFileError(error, 'write', realPath);
  }
}

async function writeNew(path: string, bytes: Uint8Array, previous: ReplacedFile | undefined): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const handle = await open(path, flags, previous === undefined ? 0o666 : 0o600);
  try {
    await handle.writeFile(bytes);
    if (previous !== undefined) await takeOverRights(handle, previous);
    // Without it a power cut after the rename could leave an empty file where the old content was.
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

async function takeOverRights(handle: FileHandle, { mode, uid, gid }: ReplacedFile): Promise<void> {
  const own = await handle.stat();
  if (own.uid !== uid || own.gid !== gid) {
    await handle.chown(uid, gid).catch((error: unknown) => {
      // Only root may give files away; for everyone else the file becomes theirs, as with any editor.
      if (errorCode(error) !== 'EPERM') throw error;
    });
  }
  await handle.chmod(mode);
}

async function moveToFreeName(temporary: string, target: string): Promise<void> {
  try {
    await link(temporary, target);
  } catch (error) {
    // Some file systems have no hard links; there the check is a step of its own.
    if (errorCode(error) !== 'EPERM' && errorCode(error) !== 'ENOTSUP' && errorCode(error) !== 'ENOSYS') throw error;
    await (await open(target, 'wx')).close();
    await rename(temporary, target);
  }
}

async function assertUnchanged(target: string, realPath: string, stamp: FileStamp): Promise<void> {
  const now = await lstat(target, { bigint: true }).catch(() => undefined);
  if (now === undefined || toFileStamp(now) !== stamp) throw staleFile(realPath);
}
