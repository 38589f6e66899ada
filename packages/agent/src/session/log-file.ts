import { constants, fstatSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { AgentError } from '@qwen/protocol';

/** The few things that a log does to its file. */
export interface LogFile {
  readonly path: string;
  /** Adds bytes at the end. May write fewer than given; gives how many. */
  write(bytes: Uint8Array): Promise<number>;
  truncate(length: number): Promise<void>;
  /** Bytes in the file. Throws `storage_unwritable` when the file was deleted meanwhile. */
  size(): number;
  close(): Promise<void>;
}

/** `create` fails where something stands already, `append` and `read` where nothing does. */
export type OpenMode = 'create' | 'append' | 'read';

const { O_RDONLY, O_RDWR, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants;
const FLAGS: Readonly<Record<OpenMode, number>> = {
  create: O_RDWR | O_APPEND | O_CREAT | O_EXCL,
  append: O_RDWR | O_APPEND,
  read: O_RDONLY,
};

/**
 * Opens a session file without following a link that somebody put in its place, and without waiting for a pipe.
 * Throws `storage_unwritable` for what is not a plain file of ours, and system errors as they come.
 */
export async function openSessionFile(path: string, mode: OpenMode): Promise<FileHandle> {
  const handle = await open(path, FLAGS[mode] | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new AgentError('storage_unwritable', `${path} is not a plain file.`);
    if (process.geteuid !== undefined && found.uid !== process.geteuid()) {
      throw new AgentError('storage_unwritable', `${path} belongs to another user.`);
    }
    return handle;
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
}

/** The file behind an open handle; closing it closes the handle. */
export function toLogFile(path: string, handle: FileHandle): LogFile {
  return {
    path,
    write: async (bytes) => (await handle.write(bytes)).bytesWritten,
    truncate: (length) => handle.truncate(length),
    size: () => {
      // Synchronous: one system call of two microseconds, instead of a trip through the thread pool for each record.
      const { size, nlink } = fstatSync(handle.fd);
      if (nlink === 0) throw new AgentError('storage_unwritable', `${path} was deleted.`, { data: { path } });
      return size;
    },
    close: () => handle.close(),
  };
}
