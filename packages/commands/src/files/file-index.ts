import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentError, escapeHidden } from '@qwen/protocol';
import { createPathResolver } from '@qwen/tools';
import type { FileQuery, HintFiles } from '../hints/hint.js';
import { FolderIndex } from './folder-index.js';

export interface FileIndexOptions {
  /** Monotonic. Default: `performance.now`. */
  readonly nowMs?: () => number;
}

/** What a session may see. Both functions are called for each search. */
export interface FileView {
  /** Absolute. */
  readonly roots: () => readonly string[];
  /** Whether a deny rule hides the file. Default: none. */
  readonly isHidden?: (realPath: string) => boolean;
}

/** The least recently used folder is evicted. */
const MAX_FOLDERS = 4;

/** Caches the paths below folders, shared by all sessions of the process. The creator closes it. */
export class FileIndex {
  readonly #nowMs: () => number;
  /** By real path, least recently used first. */
  readonly #folders = new Map<string, FolderIndex>();
  #isClosed = false;

  constructor({ nowMs = () => performance.now() }: FileIndexOptions = {}) {
    this.#nowMs = nowMs;
  }

  /** Folders outside the workspace of the session reject with `permission_denied`. */
  viewedBy({ roots, isHidden = () => false }: FileView): HintFiles {
    return {
      search: async ({ cwd, text, limit, signal, onWait }: FileQuery): Promise<readonly string[]> => {
        const folder = await realFolder(cwd, roots());
        signal.throwIfAborted();
        const paths = await this.#folder(folder).paths(signal, onWait);
        return paths.search({ text, limit, signal, accepts: (path) => !isHidden(join(folder, path)) });
      },
    };
  }

  /** Aborts gathering and rejects waiting searches. Resolves once nothing runs. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const folders = [...this.#folders.values()];
    this.#folders.clear();
    await Promise.all(folders.map((folder) => folder.close()));
  }

  #folder(realPath: string): FolderIndex {
    if (this.#isClosed) throw new AgentError('aborted', 'The file index is closed.');
    const folder = this.#folders.get(realPath) ?? new FolderIndex(realPath, this.#nowMs);
    this.#folders.delete(realPath);
    this.#folders.set(realPath, folder);
    const [oldest] = this.#folders;
    if (this.#folders.size > MAX_FOLDERS && oldest !== undefined) {
      this.#folders.delete(oldest[0]);
      void oldest[1].close();
    }
    return folder;
  }
}

async function realFolder(cwd: string, roots: readonly string[]): Promise<string> {
  const { realPath, insideRoots } = await createPathResolver({ roots }).resolve(cwd, cwd);
  if (!insideRoots) throw new AgentError('permission_denied', `${escapeHidden(cwd)} is outside the workspace.`);
  const stats = await lstat(realPath).catch(() => undefined);
  if (stats?.isDirectory() !== true) throw new AgentError('cwd_missing', `${escapeHidden(cwd)} is not a folder.`);
  return realPath;
}
