import { realpath } from 'node:fs';
import { lstat, readlink, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { PathResolver, ResolvedPath, ToolContext } from '@qwen/agent';
import { isInside } from '@qwen/agent/node';
import { AgentError, systemCodeOf } from '@qwen/protocol';

/** The limit of Linux. */
const MAX_LINKS = 40;

export interface PathResolverOptions {
  /** Absolute or relative to the cwd of the call, which is the default. */
  readonly roots?: readonly string[];
  /** Real paths of files outside that count as inside. */
  readonly files?: ReadonlySet<string>;
}

/** Reads `roots` at each call, so later additions count. */
export function createPathResolver(options: PathResolverOptions = {}): PathResolver {
  return {
    async resolve(path, cwd): Promise<ResolvedPath> {
      const absolute = toAbsolutePath(path, cwd);
      const [realPath, ...roots] = await Promise.all([
        toRealPath(absolute),
        ...(options.roots ?? [cwd]).map((root) => toRealPath(resolve(cwd, root))),
      ]);
      const isOwn = options.files?.has(realPath) === true;
      return { path: absolute, realPath, insideRoots: isOwn || roots.some((root) => isInside(realPath, root)) };
    },
    async isFolder(path) {
      const stats = await stat(path).catch(() => undefined);
      return stats?.isDirectory() ?? false;
    },
    async gitHazards(folder, workspace, use) {
      const { gitHazards } = await import('../shell/git-guard.js');
      return gitHazards(folder, workspace, use);
    },
    async foundFilesHazard(kind, folder, workspace) {
      const { foundFilesHazard } = await import('./found-files.js');
      const roots = options.roots ?? [workspace];
      return foundFilesHazard(
        kind,
        folder,
        roots.map((root) => resolve(workspace, root)),
      );
    },
    async expand(pattern) {
      const { expandPattern } = await import('./list-files.js');
      return expandPattern(pattern);
    },
    async list(folder, scope) {
      const { listFiles } = await import('./list-files.js');
      return listFiles(folder, scope);
    },
  };
}

/** Does not expand `~` or variables. Throws `invalid_tool_input` for a NUL byte. */
export function toAbsolutePath(path: string, cwd: string): string {
  if (path.includes('\0')) throw new AgentError('invalid_tool_input', 'A path must not contain a NUL byte.');
  return resolve(cwd, path);
}

/** The approved real path, else the current one. */
export async function realPathFor(path: string, context: Pick<ToolContext, 'realPaths'>): Promise<string> {
  return context.realPaths?.get(path) ?? (await toRealPath(path));
}

/**
 * Resolves links, also dangling ones; missing names stay below their nearest existing parent. Throws
 * `invalid_tool_input`.
 */
async function toRealPath(path: string, linksLeft = MAX_LINKS): Promise<string> {
  try {
    return await existingRealPath(path);
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === 'ELOOP') throw circular(path, error);
    if (code === 'ENAMETOOLONG') {
      throw new AgentError('invalid_tool_input', `The path is too long: ${shorten(path)}`, { cause: error });
    }
    if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'EACCES') throw AgentError.from(error, 'tool_failed');
  }
  const parent = dirname(path);
  if (parent === path) return path;
  const here = join(await toRealPath(parent, linksLeft), basename(path));
  const target = await linkTarget(here);
  if (target === undefined) return here;
  if (linksLeft === 0) throw circular(path);
  return toRealPath(resolve(dirname(here), target), linksLeft - 1);
}

/** Loads faster than `node:fs/promises`. */
function existingRealPath(path: string): Promise<string> {
  return new Promise((found, failed) => {
    realpath.native(path, (error, realPath) => (error === null ? found(realPath) : failed(error)));
  });
}

async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : undefined;
  } catch {
    return undefined;
  }
}

function circular(path: string, cause?: unknown): AgentError {
  return new AgentError('invalid_tool_input', `The path contains circular links: ${shorten(path)}`, { cause });
}

function shorten(path: string): string {
  return path.length > 200 ? `${path.slice(0, 200)}…` : path;
}
