import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { escapeHidden } from '@qwen/protocol';
import { compareNames } from '@qwen/tools';
import { toFileFailure } from './file-failure.js';
import { ignoredNames } from './ignored-names.js';
import { isHidden, resolveVisible, type Workspace } from './workspace.js';

const MAX_NAMES = 10_000;

export interface ListAnswer {
  /** One name per line; folders end with `/`. */
  readonly contents: string;
  readonly displaySummary: string;
}

/**
 * Lists a folder in order, with dot files but without ignored and hidden ones. Errors: those of {@link resolveVisible};
 * `file_not_found`, also if it is not a folder; `permission_denied`.
 */
export async function listFolder(workspace: Workspace, path: string): Promise<ListAnswer> {
  const { path: named, realPath } = await resolveVisible(workspace, path);
  const entries = await readdir(realPath, { withFileTypes: true }).catch((error: unknown) => {
    throw toFileFailure(error, 'list', path);
  });
  const isIgnored = await ignoredNames(workspace, realPath);
  const names: string[] = [];
  for (const entry of entries.toSorted((one, other) => compareNames(one.name, other.name))) {
    const isFolder = entry.isDirectory() || (entry.isSymbolicLink() && (await isFolderAt(join(realPath, entry.name))));
    if (isHidden(workspace, { path: join(named, entry.name), realPath: join(realPath, entry.name) })) continue;
    if (await isIgnored([entry.name], isFolder)) continue;
    names.push(`${escapeHidden(entry.name)}${isFolder ? '/' : ''}`);
  }
  const shown = names.slice(0, MAX_NAMES);
  const rest = names.length - shown.length;
  const items = `${shown.length} ${shown.length === 1 ? 'item' : 'items'}`;
  const cut = rest === 0 ? '' : `; ${rest} more omitted`;
  return { contents: shown.join('\n'), displaySummary: `Listed ${items} in ${escapeHidden(path)}${cut}` };
}

function isFolderAt(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
