import { relative, sep } from 'node:path';
import { AgentError } from '@qwen/protocol';
import { createPathResolver, isInside, toVisibleName } from '@qwen/tools';
import { type FileRules, type FindFileRules, NO_FILE_RULES } from '../../core/file-rules.js';
import type { SessionRecord } from '../../store/session-record.js';

/** The folders of a session, and what rules say about the files in them. */
export interface Workspace {
  /** The main folder; paths start here. Absolute. */
  readonly root: string;
  /** Folders that were added; absolute. */
  readonly directories: readonly string[];
  readonly rules: FileRules;
}

/** The folders of a session as they are now. Errors: those of `findRules`. */
export async function openWorkspace(
  { workspaceRoot, directories }: SessionRecord,
  findRules: FindFileRules = async () => NO_FILE_RULES,
): Promise<Workspace> {
  return { root: workspaceRoot, directories, rules: await findRules(workspaceRoot) };
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

/**
 * The same for what is to be read. Errors: also `permission_denied` where a rule hides it, whether or not it is there.
 */
export async function resolveVisible(workspace: Workspace, path: string): Promise<WorkspacePath> {
  const resolved = await resolveInside(workspace, path);
  if (!isHidden(workspace, resolved)) return resolved;
  throw new AgentError('permission_denied', `A permission rule keeps ${toVisibleName(path)} from being read.`);
}

/** Whether a rule hides a file, under its name or under the one that a link led to (S33). */
export function isHidden({ rules }: Workspace, { path, realPath }: WorkspacePath): boolean {
  return rules.hides(realPath) || (path !== realPath && rules.hides(path));
}

/** A path as answers show it: from the main folder where it lies below, else absolute. */
export function toShownPath({ root }: Workspace, path: string): string {
  return toVisibleName(isInside(path, root) ? relative(root, path).split(sep).join('/') : path);
}
