import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A change takes milliseconds; whoever left a draft this long ago is dead. */
const STALE_AFTER_MS = 60_000;
/** Names that this program gives to files that are to take another's place, and to locks that are being made. */
const DRAFT = /\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?:\.new)?$/;

/** Removes what processes that were killed in the middle of a change left in this folder (F93). Never rejects. */
export async function removeStaleDrafts(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  await Promise.all(names.filter((name) => DRAFT.test(name)).map((name) => removeIfStale(join(folder, name))));
}

/** Somebody else may be quicker, and what cannot be removed harms nobody. */
async function removeIfStale(path: string): Promise<void> {
  try {
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > STALE_AFTER_MS) await rm(path, { force: true });
  } catch {
    return;
  }
}
