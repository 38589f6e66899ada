import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentError } from '@qwen/protocol';
import { createPathResolver, toVisibleName } from '@qwen/tools';
import type { FileQuery, HintFiles } from '../hints/hint.js';
import { FolderIndex } from './folder-index.js';

export interface FileIndexOptions {
  /** Monotonic time in milliseconds. Default: that of this machine. */
  readonly nowMs?: () => number;
}

/** What one session may see of an index. Both are asked with each search, so changes count at once. */
export interface FileView {
  /** The folders of the workspace, absolute. */
  readonly roots: () => readonly string[];
  /** Whether a deny rule hides this file; its name is not suggested then. Default: none is. */
  readonly isHidden?: (realPath: string) => boolean;
}

/** So many folders are kept; the one that was not asked about for longest goes. */
const MAX_FOLDERS = 4;

/**
 * The names of all files below some folders, gathered when they are first asked for and again when they are old, and
 * shared by the sessions of a process. Whoever makes it closes it.
 */
export class FileIndex {
  readonly #nowMs: () => number;
  /** By real path; the one that was asked about last stands last. */
  readonly #folders = new Map<string, FolderIndex>();
  #isClosed = false;

  constructor({ nowMs = () => performance.now() }: FileIndexOptions = {}) {
    this.#nowMs = nowMs;
  }

  /** File search for one session. Folders outside of its workspace are refused with `permission_denied`. */
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

  /** Ends what is being gathered and forgets everything. Searches that wait reject. Resolves once nothing runs any more. */
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
  if (!insideRoots) throw new AgentError('permission_denied', `${toVisibleName(cwd)} lies outside of the workspace.`);
  const stats = await lstat(realPath).catch(() => undefined);
  if (stats?.isDirectory() !== true) throw new AgentError('cwd_missing', `${toVisibleName(cwd)} is not a folder.`);
  return realPath;
}
