import { readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentError } from '@qwen/protocol';
import { type RunningServer, runningServerSchema } from '@qwen/protocol/server';
import { writeFileAtomic } from '@qwen/tools/files';

/** `server.json`, by which programs of the same user find the server. The caller removes it. */
export class ServerFile implements Disposable {
  readonly #path: string;
  readonly #atExit = (): void => this.remove();

  private constructor(path: string) {
    this.#path = path;
    process.once('exit', this.#atExit);
  }

  /**
   * Writes the file with mode 0600, replacing that of a previous server. It is also removed at exit; after a kill,
   * its pid and start time show that it is stale. Errors: `storage_unwritable`.
   */
  static async post(folder: string, { url, token }: Pick<RunningServer, 'url' | 'token'>): Promise<ServerFile> {
    const path = join(folder, 'server.json');
    const notice: RunningServer = { url, token, pid: process.pid, start_time: await ownStartTime() };
    try {
      await writeFileAtomic(path, `${JSON.stringify(notice)}\n`, { mode: 0o600, folderMode: 0o700 });
    } catch (thrown) {
      throw AgentError.from(thrown, 'storage_unwritable');
    }
    return new ServerFile(path);
  }

  /** Keeps the file of another server. Idempotent; never throws. */
  remove(): void {
    process.off('exit', this.#atExit);
    try {
      const notice = runningServerSchema.parse(JSON.parse(readFileSync(this.#path, 'utf8')));
      if (notice.pid === process.pid) rmSync(this.#path);
    } catch {
      // Missing or foreign.
    }
  }

  [Symbol.dispose](): void {
    this.remove();
  }
}

async function ownStartTime(): Promise<string | null> {
  const stat = await readFile('/proc/self/stat', 'latin1').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}
