import { relative, sep } from 'node:path';
import { AgentError } from '@qwen/protocol';
import { createPathResolver, isInside, toVisibleName } from '@qwen/tools';
import type { SessionRecord } from '../../store/session-record.js';

/** The folders of a session. */
export interface Workspace {
  /** The main folder; paths start here. Absolute. */
  readonly root: string;
  /** Folders that were added; absolute. */
  readonly directories: readonly string[];
}

/** The folders of a session as they are now. */
export function workspaceOf({ workspaceRoot, directories }: SessionRecord): Workspace {
  return { root: workspaceRoot, directories };
}

/** A path of a request that lies inside of the workspace. */
export interface WorkspacePath {
  /** As it was asked for, made absolute. */
  readonly path: string;
  /** Every link followed: what is opened. */
  readonly realPath: string;
}

/**
 * The path that a request means, by the path rules of the tools (GAP-64). Errors: `path_refused` for one that leads out
 * of the workspace, in the same words whether or not something is there (S65); `invalid_tool_input` for what is no path.
 */
export async function resolveInside({ root, directories }: Workspace, path: string): Promise<WorkspacePath> {
  const resolver = createPathResolver({ roots: [root, ...directories] });
  const { insideRoots, ...resolved } = await resolver.resolve(path, root);
  if (insideRoots) return resolved;
  throw new AgentError('path_refused', 'The path leads out of the workspace of the session.');
}

/** A path as answers show it: from the main folder where it lies below, else absolute. */
export function toShownPath({ root }: Workspace, path: string): string {
  return toVisibleName(isInside(path, root) ? relative(root, path).split(sep).join('/') : path);
}
