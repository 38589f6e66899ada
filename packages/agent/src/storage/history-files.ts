import { copyFile, link, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCodeOf } from '@qwen/protocol';

// The host keeps the files that tools change in a folder next to the session file.

export function historyFolder(sessionsDirectory: string, sessionId: string): string {
  return join(sessionsDirectory, `${sessionId}.files`);
}

/** Shares the content, which never changes. Rejects with the system error. */
export async function copyHistory(from: string, to: string): Promise<void> {
  const copies = await readdir(join(from, 'copies')).catch((thrown: unknown) => {
    if (systemCodeOf(thrown) === 'ENOENT') return undefined;
    throw thrown;
  });
  if (copies === undefined) return;
  await mkdir(join(to, 'copies'), { recursive: true, mode: 0o700 });
  for (const name of copies) {
    const [source, target] = [join(from, 'copies', name), join(to, 'copies', name)];
    await link(source, target).catch(() => copyFile(source, target));
  }
  await copyFile(join(from, 'changes.jsonl'), join(to, 'changes.jsonl'));
}

export function deleteHistory(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true });
}
