import { AgentError, escapeHidden } from '@qwen/protocol';
import { FileLedger, isProtectedFile, loadFile, replaceFile } from '@qwen/tools';
import { toFileFailure } from './file-failure.js';
import { isHidden, resolveInside, type Workspace } from './workspace.js';

export interface WriteRequest {
  readonly path: string;
  readonly content: string;
}

/** Writes files atomically, one request per file at a time. */
export class FileWriter {
  readonly #ledger = new FileLedger();

  /**
   * Returns the number of bytes. Errors: those of {@link resolveInside}; `permission_denied` for locked files and for
   * protected ones that make programs run, such as `.git/hooks`; `stale_file` if it changed meanwhile; `storage_full`.
   */
  async write(workspace: Workspace, { path, content }: WriteRequest): Promise<number> {
    const resolved = await resolveInside(workspace, path);
    if (isProtectedFile(resolved.path) || isProtectedFile(resolved.realPath)) {
      throw new AgentError('permission_denied', `${escapeHidden(path)} is protected and cannot be written over HTTP.`);
    }
    const { rules } = workspace;
    if (isHidden(workspace, resolved) || (await rules.locks(resolved.realPath)) || (await rules.locks(resolved.path))) {
      throw new AgentError(
        'permission_denied',
        `${escapeHidden(path)} cannot be written: a permission rule forbids it, or it may contain keys or passwords.`,
      );
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
