import { readFile, stat } from 'node:fs/promises';
import type { PathResolver } from '@qwen/agent';
import { AgentError, systemCodeOf } from '@qwen/protocol';
import type { WorkspaceFiles } from '../host/system-access.js';
import { storageError, writeAtomic } from './write-atomic.js';

const MAX_READ_BYTES = 4 * 1024 * 1024;

export interface WorkspaceFileOptions {
  /** Absolute. */
  readonly cwd: string;
  readonly paths: PathResolver;
}

/** Applies the path rules of the tools: links are resolved first. */
export function workspaceFiles({ cwd, paths }: WorkspaceFileOptions): WorkspaceFiles {
  const insidePath = async (path: string) => {
    const { realPath, insideRoots } = await paths.resolve(path, cwd);
    if (!insideRoots) throw new AgentError('permission_denied', `${path} is outside the workspace.`);
    return realPath;
  };
  return {
    async read(path) {
      const realPath = await insidePath(path);
      try {
        const stats = await stat(realPath);
        if (!stats.isFile()) throw new AgentError('tool_failed', `${path} is not a regular file.`);
        if (stats.size > MAX_READ_BYTES)
          throw new AgentError(
            'tool_failed',
            `${path} is too large: ${stats.size} bytes, the limit is ${MAX_READ_BYTES}.`,
          );
        return await readFile(realPath, 'utf8');
      } catch (error) {
        if (systemCodeOf(error) === 'ENOENT' || systemCodeOf(error) === 'ENOTDIR') return undefined;
        throw AgentError.is(error) ? error : storageError(error, `Cannot read ${path}`);
      }
    },
    async write(path, text) {
      const realPath = await insidePath(path);
      await writeAtomic({ path: realPath, text, access: 'everyone' });
      return realPath;
    },
  };
}
