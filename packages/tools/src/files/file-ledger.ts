import type { BigIntStats } from 'node:fs';
import { AgentError } from '@qwen/protocol';

/** What tells one state of a file from another; equal stamps mean that nothing was written in between. */
export type FileStamp = string;

/** The stamp of a file as it is. The change time is in it because the modification time can be set back. */
export function toFileStamp(stats: BigIntStats): FileStamp {
  return [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(':');
}

/** What one session knows of the files it has seen. Shared by its file tools. */
export class FileLedger {
  readonly #stamps = new Map<string, FileStamp>();
  readonly #waiting = new Map<string, Promise<void>>();

  /** Notes the state in which the session last saw this file. */
  remember(realPath: string, stamp: FileStamp): void {
    this.#stamps.set(realPath, stamp);
  }

  /** Throws `stale_file` when the file is not as the session last saw it (F100). A file never seen is fresh. */
  assertFresh(realPath: string, stamp: FileStamp): void {
    const seen = this.#stamps.get(realPath);
    if (seen !== undefined && seen !== stamp) throw staleFile(realPath);
  }

  /** Runs `work` alone among all that name the same file, in the order of the calls. */
  async exclusively<T>(realPath: string, work: () => Promise<T>): Promise<T> {
    const running = (this.#waiting.get(realPath) ?? Promise.resolve()).then(work);
    const settled = running.then(
      () => {},
      () => {},
    );
    this.#waiting.set(realPath, settled);
    try {
      return await running;
    } finally {
      if (this.#waiting.get(realPath) === settled) this.#waiting.delete(realPath);
    }
  }
}

/** The error for a file that somebody else wrote. */
export function staleFile(path: string): AgentError {
  return new AgentError('stale_file', `${path} changed since it was last read. Read it again before changing it.`, {
    data: { path },
  });
}
