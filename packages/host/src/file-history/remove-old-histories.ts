import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const SUFFIX = '.files';
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;
const MAX_TOTAL_BYTES = 1024 * 1024 * 1024;

export interface HistoryLimits {
  readonly maxAgeMs: number;
  readonly maxTotalBytes: number;
}

/** Keeps the newest ones within the limits, `own` and those of sessions in use. */
export async function removeOldHistories(
  sessionsDirectory: string,
  own: string,
  { maxAgeMs, maxTotalBytes }: HistoryLimits = { maxAgeMs: MAX_AGE_MS, maxTotalBytes: MAX_TOTAL_BYTES },
): Promise<void> {
  const names = await readdir(sessionsDirectory);
  const locked = new Set(names.filter((name) => name.endsWith('.lock')).map((name) => name.slice(0, -'.lock'.length)));
  const folders = names.filter((name) => name.endsWith(SUFFIX));
  const found = await Promise.all(
    folders.map(async (name) => {
      const folder = join(sessionsDirectory, name);
      const stats = await stat(join(folder, 'changes.jsonl')).catch(() => undefined);
      return { folder, sessionId: name.slice(0, -SUFFIX.length), usedAtMs: stats?.mtimeMs ?? 0 };
    }),
  );
  let total = 0;
  for (const { folder, sessionId, usedAtMs } of found.toSorted((one, other) => other.usedAtMs - one.usedAtMs)) {
    total += await bytesOf(join(folder, 'copies'));
    const isKept = Date.now() - usedAtMs < maxAgeMs && total <= maxTotalBytes;
    if (!isKept && folder !== own && !locked.has(sessionId)) await rm(folder, { recursive: true, force: true });
  }
}

async function bytesOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(folder).catch(() => [])) {
    bytes += (await stat(join(folder, name)).catch(() => undefined))?.size ?? 0;
  }
  return bytes;
}
