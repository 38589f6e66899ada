import { close, closeSync, constants, fstatSync, ftruncate, openSync, type Stats, write } from 'node:fs';
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

/** A file that was opened; a `FileHandle` is one. */
export interface OpenFile {
  readonly fd: number;
  close(): Promise<void>;
}

/** Both fail where nothing stands. */
export type OpenMode = 'append' | 'read';

const { O_RDONLY, O_RDWR, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants;
const FLAGS: Readonly<Record<OpenMode, number>> = { append: O_RDWR | O_APPEND, read: O_RDONLY };
/** Follows no link that somebody put in its place, waits for no pipe. */
const SAFE_FLAGS = O_NOFOLLOW | O_NONBLOCK;

/** Throws `storage_unwritable` for what is not a plain file of ours, and system errors as they come. */
export async function openSessionFile(path: string, mode: OpenMode): Promise<FileHandle> {
  const handle = await open(path, FLAGS[mode] | SAFE_FLAGS);
  try {
    checkOwnFile(path, await handle.stat());
    return handle;
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
}

/**
 * Makes a session file for our eyes only; fails where something stands already. Synchronous, and no `FileHandle`: of all
 * that a session of one turn does with files this is the part that would load Node's promises of files.
 */
export function createSessionFile(path: string): OpenFile {
  const fd = openSync(path, O_RDWR | O_APPEND | O_CREAT | O_EXCL | SAFE_FLAGS, 0o600);
  try {
    checkOwnFile(path, fstatSync(fd));
  } catch (thrown) {
    closeSync(fd);
    throw thrown;
  }
  return { fd, close: () => called((done) => close(fd, done)) };
}

function checkOwnFile(path: string, found: Stats): void {
  if (!found.isFile()) throw new AgentError('storage_unwritable', `${path} is not a plain file.`);
  if (process.geteuid !== undefined && found.uid !== process.geteuid()) {
    throw new AgentError('storage_unwritable', `${path} belongs to another user.`);
  }
}

/** The log of an open file; closing it closes the file. Nothing waits for the disk but what has to: lines go on. */
export function toLogFile(path: string, file: OpenFile): LogFile {
  const { fd } = file;
  return {
    path,
    write: (bytes) => called((done) => write(fd, bytes, done)),
    truncate: (length) => called((done) => ftruncate(fd, length, done)),
    size: () => {
      // Synchronous: one system call of two microseconds, instead of a trip through the thread pool for each record.
      const { size, nlink } = fstatSync(fd);
      if (nlink === 0) throw new AgentError('storage_unwritable', `${path} was deleted.`, { data: { path } });
      return size;
    },
    close: () => file.close(),
  };
}

type Done<Value> = (error: Error | null, value: Value) => void;

/** A promise of what a callback is told. */
function called<Value = void>(call: (done: Done<Value>) => void): Promise<Value> {
  return new Promise((resolve, reject) => {
    call((error, value) => (error === null ? resolve(value) : reject(error)));
  });
}
