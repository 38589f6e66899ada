import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/** The optional package, else PATH without relative entries, which lead into the workspace. */
export async function findRipgrep(searchPath = process.env.PATH ?? ''): Promise<string | undefined> {
  try {
    return (await import('@vscode/ripgrep')).rgPath;
  } catch {
    return findOnPath(searchPath);
  }
}

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
