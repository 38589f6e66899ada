import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AgentError, escapeHidden, systemCodeOf } from '@qwen/protocol';
import { toFileError } from './file-error.js';
import { type FileStamp, toFileStamp } from './file-ledger.js';

// A file is opened by its approved real path, which is then compared with the path of the open file: a link placed in
// between has no effect. Only Linux reports that path exactly, in /proc/self/fd; elsewhere a small race remains.

const FILE_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW | constants.O_NOCTTY;
const FOLDER_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** A concurrent replacement is harmless. */
const ATTEMPTS = 5;

export interface OpenFile extends AsyncDisposable {
  readonly handle: FileHandle;
  readonly stats: BigIntStats;
  readonly stamp: FileStamp;
}

/** An open folder. A path from `child` cannot leave this folder. */
export interface OpenFolder extends AsyncDisposable {
  child(name: string): string;
}

/** Throws `tool_failed` for any other kind of file and if the path now leads elsewhere. */
export async function openFile(realPath: string): Promise<OpenFile> {
  refuseProcessMemory(realPath);
  for (let attempt = 1; ; attempt += 1) {
    // Opening a device can have effects, so check before and after.
    assertRegular(await lstat(realPath, { bigint: true }), realPath);
    const handle = await open(realPath, FILE_FLAGS);
    try {
      const stats = await handle.stat({ bigint: true });
      assertRegular(stats, realPath);
      if (await isAt(handle, realPath)) {
        return { handle, stats, stamp: toFileStamp(stats), [Symbol.asyncDispose]: () => handle.close() };
      }
      if (attempt === ATTEMPTS) throw leadsElsewhere(realPath);
    } catch (error) {
      await handle.close();
      throw error;
    }
    await handle.close();
  }
}

/** With `create`, creates it with its parents. Throws like {@link openFile}. */
export async function openFolder(realPath: string, options: { create: boolean }): Promise<OpenFolder> {
  const handle = await openFolderHandle(realPath, realPath, options.create);
  try {
    if (!(await isAt(handle, realPath))) throw leadsElsewhere(realPath);
  } catch (error) {
    await handle.close();
    throw error;
  }
  return {
    child: (name) => join(anchor(handle, realPath), name),
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

async function openFolderHandle(path: string, realPath: string, create: boolean): Promise<FileHandle> {
  try {
    return await open(path, FOLDER_FLAGS);
  } catch (error) {
    if (!create || systemCodeOf(error) !== 'ENOENT' || dirname(realPath) === realPath) {
      throw toFileError(error, 'open', realPath);
    }
  }
  await using parent = await openFolder(dirname(realPath), { create });
  const child = parent.child(basename(realPath));
  await mkdir(child).catch((error: unknown) => {
    if (systemCodeOf(error) !== 'EEXIST') throw toFileError(error, 'create', realPath);
  });
  // `await` keeps the parent open until the child is.
  return await openFolderHandle(child, realPath, false);
}

function anchor(handle: FileHandle, realPath: string): string {
  return process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : realPath;
}

async function isAt(handle: FileHandle, realPath: string): Promise<boolean> {
  if (process.platform === 'linux') return (await readlink(`/proc/self/fd/${handle.fd}`)) === realPath;
  return (await realpath(realPath)) === realPath;
}

function assertRegular(stats: BigIntStats, path: string): void {
  if (stats.isFile()) return;
  if (stats.isSymbolicLink()) throw leadsElsewhere(path);
  const kind = stats.isDirectory()
    ? 'a directory'
    : stats.isFIFO()
      ? 'a named pipe'
      : stats.isSocket()
        ? 'a socket'
        : 'a device';
  const advice = stats.isDirectory() ? ' Use list_directory.' : '';
  throw new AgentError('tool_failed', `${escapeHidden(path)} is ${kind}, not a regular file.${advice}`, {
    data: { path },
  });
}

/** They hold the provider keys. */
function refuseProcessMemory(path: string): void {
  if (/^\/proc\/(?:[^/]+\/)+(?:environ|mem)$/.test(path)) {
    throw new AgentError('tool_failed', `${path} cannot be read: it may contain secrets.`, { data: { path } });
  }
}

function leadsElsewhere(path: string): AgentError {
  return new AgentError(
    'tool_failed',
    `${escapeHidden(path)} was moved or replaced by a link while it was being opened.`,
    {
      data: { path },
    },
  );
}
