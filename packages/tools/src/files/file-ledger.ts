import type { BigIntStats } from 'node:fs';
import { AgentError } from '@qwen/protocol';

export type FileStamp = string;

/** Includes the change time because the modification time can be set back. */
export function toFileStamp(stats: BigIntStats): FileStamp {
  return [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(':');
}

/** The files of an editor, whose text may not be saved. */
export interface EditorFiles {
  /** The text in the editor; undefined if it has none. Must not reject. */
  read(realPath: string): Promise<string | undefined>;
  /** Replaces the text in the editor and saves it. Rejects with `tool_failed`. */
  write(realPath: string, text: string): Promise<void>;
}

export class FileLedger {
  /** Missing: all text is saved. */
  readonly editor: EditorFiles | undefined;
  readonly #stamps = new Map<string, FileStamp>();
  readonly #waiting = new Map<string, Promise<void>>();

  constructor(editor?: EditorFiles) {
    this.editor = editor;
  }

  remember(realPath: string, stamp: FileStamp): void {
    this.#stamps.set(realPath, stamp);
  }

  /** Throws `stale_file` if the file changed since it was last read. An unread file is fresh. */
  assertFresh(realPath: string, stamp: FileStamp): void {
    const seen = this.#stamps.get(realPath);
    if (seen !== undefined && seen !== stamp) throw staleFile(realPath);
  }

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

export function staleFile(path: string): AgentError {
  return new AgentError('stale_file', `${path} changed since it was last read. Read it again before changing it.`, {
    data: { path },
  });
}
