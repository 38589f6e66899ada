import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/**
 * Absolute path of a ripgrep program: the optional package's, else the first on PATH; undefined when there is none.
 * Entries of PATH that are not absolute are passed over, so a file of the workspace is never run.
 */
export async function findRipgrep(searchPath = process.env.PATH ?? ''): Promise<string | undefined> {
  try {
    return (await import('@vscode/ripgrep')).rgPath;
  } catch {
    return findOnPath(searchPath);
  }
}

/** The first executable `rg` in the absolute folders of a PATH value. */
export async function findOnPath(searchPath: string): Promise<string | undefined> {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  for (const folder of searchPath.split(delimiter).filter((entry) => isAbsolute(entry))) {
    const candidate = join(folder, name);
    const isThere = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return candidate;
  }
  return undefined;
}
