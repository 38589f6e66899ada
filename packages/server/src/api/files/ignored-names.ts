import { realpath } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { IgnoreCheck, isInside } from '@qwen/tools';
import type { Workspace } from './workspace.js';

/** Whether an ignore file excludes a path below a folder, given as its names. */
export type IgnoredNames = (names: readonly string[], isFolder: boolean) => Promise<boolean>;

/**
 * The ignore rules of a folder, given by its real path: its own and those of its parents up to the workspace root. For a
 * folder that is itself ignored, only its own apply.
 */
export async function ignoredNames({ root, directories }: Workspace, folder: string): Promise<IgnoredNames> {
  const roots = await Promise.all([root, ...directories].map((one) => realpath(one).catch(() => one)));
  const top = roots.find((one) => isInside(folder, one)) ?? folder;
  const above = relative(top, folder)
    .split(sep)
    .filter((name) => name !== '');
  const check = new IgnoreCheck(top);
  if (above.length === 0) return (names, isFolder) => check.ignores(names, isFolder);
  if (!(await check.ignores(above, true))) return (names, isFolder) => check.ignores([...above, ...names], isFolder);
  const own = new IgnoreCheck(folder);
  return (names, isFolder) => own.ignores(names, isFolder);
}
