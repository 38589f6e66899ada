import { AgentError } from '@qwen/protocol';
import { FileLedger, isProtectedFile, loadFile, replaceFile, toVisibleName } from '@qwen/tools';
import { toFileFailure } from './file-failure.js';
import { resolveInside, type Workspace } from './workspace.js';

export interface WriteRequest {
  readonly path: string;
  readonly content: string;
}

/** Writes files whole for clients. Requests for one file wait for each other. */
export class FileWriter {
  readonly #ledger = new FileLedger();

  /**
   * Gives how many bytes were written; the file has the old content or the new one, never a part. Errors: those of
   * {@link resolveInside}; `permission_denied` for files that make programs run, such as `.git/hooks` and settings, by
   * either of their names (S68), and for what a rule forbids to write; `stale_file` when somebody else wrote it in that moment; `storage_full`.
   */
  async write(workspace: Workspace, { path, content }: WriteRequest): Promise<number> {
    const resolved = await resolveInside(workspace, path);
    if (isProtectedFile(resolved.path) || isProtectedFile(resolved.realPath)) {
      throw new AgentError('permission_denied', `${toVisibleName(path)} is protected: it is not written over HTTP.`);
    }
    const { rules } = workspace;
    if ((await rules.locks(resolved.realPath)) || (await rules.locks(resolved.path))) {
      throw new AgentError('permission_denied', `A permission rule forbids to write ${toVisibleName(path)}.`);
    }
    const bytes = Buffer.from(content);
    try {
      await this.#ledger.exclusively(resolved.realPath, async () => {
        const file = await loadFile(resolved.realPath);
        const previous = file.kind === 'missing' ? undefined : file.previous;
        await replaceFile({ realPath: resolved.realPath, bytes, previous });
      });
    } catch (error) {
      throw toFileFailure(error, 'write', path);
    }
    return bytes.length;
  }
}
