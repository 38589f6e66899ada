import { type FileHandle, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export interface AtomicWriteOptions {
  /** Regardless of the umask. Default: 0666 less the umask. */
  readonly mode?: number | undefined;
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined;
  /** Creates missing parents with this mode. Default: none are created. */
  readonly folderMode?: number;
  /** If false, rejects with `EEXIST` for an existing file. Default true. */
  readonly overwrite?: boolean;
  /** Runs before the rename. If it rejects, nothing changes. */
  readonly beforeReplace?: () => Promise<void>;
}

/**
 * Readers and crashes leave the old content or the new. A link at `path` is replaced, not followed. Rejects with the
 * system error.
 */
export async function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  options: AtomicWriteOptions = {},
): Promise<void> {
  const { folderMode, overwrite = true, beforeReplace } = options;
  const folder = dirname(path);
  if (folderMode !== undefined) await mkdir(folder, { recursive: true, mode: folderMode });
  // `path` with a suffix could exceed the maximum length of a name.
  const draft = join(folder, `.qwen-${crypto.randomUUID()}.tmp`);
  try {
    await writeDraft(draft, data, options);
    await beforeReplace?.();
    if (overwrite) await rename(draft, path);
    else await moveToFreeName(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeDraft(path: string, data: string | Uint8Array, options: AtomicWriteOptions): Promise<void> {
  const { mode, owner } = options;
  const file = await open(path, 'wx', mode === undefined ? 0o666 : 0o600);
  try {
    await file.writeFile(data);
    if (owner !== undefined) await changeOwner(file, owner);
    if (mode !== undefined) await file.chmod(mode);
    // Without it, a power cut after the rename could leave an empty file.
    await file.sync();
  } finally {
    await file.close();
  }
}

async function changeOwner(file: FileHandle, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  const own = await file.stat();
  if (own.uid === uid && own.gid === gid) return;
  await file.chown(uid, gid).catch((error: NodeJS.ErrnoException) => {
    // Only root may change the owner.
    if (error.code !== 'EPERM') throw error;
  });
}

/** Errors of file systems without hard links. */
const NO_LINKS: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP', 'ENOSYS']);

async function moveToFreeName(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && NO_LINKS.has(String(error.code)))) throw error;
    await (await open(path, 'wx')).close();
    await rename(draft, path);
  }
}

const STALE_AFTER_MS = 60_000;
/** Also drafts of earlier versions, and session locks in preparation. */
const DRAFT = /(?:^\.qwen-|\.)[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?:\.new|\.tmp)?$/;

/** Removes drafts that killed processes left in a folder. Never rejects. */
export async function removeStaleDrafts(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  await Promise.all(names.filter((name) => DRAFT.test(name)).map((name) => removeIfStale(join(folder, name))));
}

async function removeIfStale(path: string): Promise<void> {
  try {
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > STALE_AFTER_MS) await rm(path, { force: true });
  } catch {}
}
