import { close, closeSync, constants, fstatSync, ftruncate, openSync, type Stats, write } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { AgentError } from '@qwen/protocol';

export interface LogFile {
  readonly path: string;
  write(bytes: Uint8Array): Promise<number>;
  truncate(length: number): Promise<void>;
  size(): number;
  close(): Promise<void>;
}

export interface OpenFile {
  readonly fd: number;
  close(): Promise<void>;
}

export type OpenMode = 'append' | 'read';

const { O_RDONLY, O_RDWR, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants;
const FLAGS: Readonly<Record<OpenMode, number>> = { append: O_RDWR | O_APPEND, read: O_RDONLY };
/** Does not follow links or wait for pipes. */
const SAFE_FLAGS = O_NOFOLLOW | O_NONBLOCK;

/** Throws `storage_unwritable` unless it is our own regular file, and system errors. */
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

/** Mode 0600; fails if it exists. Synchronous, because `node:fs/promises` would slow down short runs. */
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

export function toLogFile(path: string, file: OpenFile): LogFile {
  const { fd } = file;
  return {
    path,
    write: (bytes) => called((done) => write(fd, bytes, done)),
    truncate: (length) => called((done) => ftruncate(fd, length, done)),
    size: () => {
      // Two microseconds; the thread pool would take longer.
      const { size, nlink } = fstatSync(fd);
      if (nlink === 0) throw new AgentError('storage_unwritable', `${path} was deleted.`, { data: { path } });
      return size;
    },
    close: () => file.close(),
  };
}

type Done<Value> = (error: Error | null, value: Value) => void;

function called<Value = void>(call: (done: Done<Value>) => void): Promise<Value> {
  return new Promise((resolve, reject) => {
    call((error, value) => (error === null ? resolve(value) : reject(error)));
  });
}
