import { readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** Removes the declarations in `folder` that apps cannot reach from the entries, which are relative to it. */
export async function keepReachableDeclarations(folder: string, entries: readonly string[]): Promise<void> {
  const reachable = new Set<string>();
  for (const entry of entries) await follow(resolve(folder, entry), reachable);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = resolve(entry.parentPath, entry.name);
    if (file.endsWith('.d.ts') && !reachable.has(file)) await rm(file);
  }
  await removeEmptyFolders(folder);
}

async function follow(file: string, reachable: Set<string>): Promise<void> {
  if (reachable.has(file)) return;
  reachable.add(file);
  const text = await readFile(file, 'utf8');
  for (const [, specifier] of text.matchAll(/(?:from|import\()\s*['"](\.[^'"]+)\.js['"]/g)) {
    await follow(resolve(dirname(file), `${specifier}.d.ts`), reachable);
  }
}

async function removeEmptyFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await removeEmptyFolders(join(folder, entry.name));
  }
  const isEmpty = (await readdir(folder)).length === 0;
  if (isEmpty) await rm(folder, { recursive: true });
}
