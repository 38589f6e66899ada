import { relative, sep } from 'node:path';
import { AgentError, escapeHidden } from '@qwen/protocol';
import { createPathResolver, isInside, isOwnSecret, isPersonalSecret } from '@qwen/tools';
import { type FileRules, type FindFileRules, NO_FILE_RULES } from '../../core/file-rules.js';
import type { SessionRecord } from '../../store/session-record.js';

export interface Workspace {
  /** Absolute. */
  readonly root: string;
  /** Absolute. */
  readonly directories: readonly string[];
  readonly rules: FileRules;
}

/** The rules also hide files with secrets. Errors: those of `findRules`. */
export async function openWorkspace(
  { workspaceRoot, directories }: SessionRecord,
  findRules: FindFileRules = async () => NO_FILE_RULES,
): Promise<Workspace> {
  const rules = await findRules(workspaceRoot);
  return {
    root: workspaceRoot,
    directories,
    rules: { hides: (path) => isSecret(path) || rules.hides(path), locks: (path) => rules.locks(path) },
  };
}

/** For these files, the tools ask or refuse; no one is asked here. */
function isSecret(path: string): boolean {
  const resolved = { path, realPath: path };
  return isPersonalSecret(resolved) || isOwnSecret(resolved, []);
}

export interface WorkspacePath {
  /** Absolute. */
  readonly path: string;
  readonly realPath: string;
}

/**
 * Resolves a path as the tools do. Errors: `path_refused` outside the workspace, with the same message whether or not the
 * file exists; `invalid_tool_input` for an invalid path.
 */
export async function resolveInside({ root, directories }: Workspace, path: string): Promise<WorkspacePath> {
  const resolver = createPathResolver({ roots: [root, ...directories] });
  const { insideRoots, ...resolved } = await resolver.resolve(path, root);
  if (insideRoots) return resolved;
  throw new AgentError('path_refused', 'The path is outside the workspace of the session.');
}

/** The same for reading. Errors: also `permission_denied` for a hidden file, whether or not it exists. */
export async function resolveVisible(workspace: Workspace, path: string): Promise<WorkspacePath> {
  const resolved = await resolveInside(workspace, path);
  if (!isHidden(workspace, resolved)) return resolved;
  throw new AgentError(
    'permission_denied',
    `${escapeHidden(path)} is hidden by a permission rule, or may contain keys or passwords.`,
  );
}

/** Checks both the name of a file and the target of its links. */
export function isHidden({ rules }: Workspace, { path, realPath }: WorkspacePath): boolean {
  return rules.hides(realPath) || (path !== realPath && rules.hides(path));
}

/** Relative to the root if possible. */
export function toShownPath({ root }: Workspace, path: string): string {
  return escapeHidden(isInside(path, root) ? relative(root, path).split(sep).join('/') : path);
}
