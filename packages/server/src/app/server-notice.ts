import { readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentError } from '@qwen/protocol';
import { type RunningServer, runningServerSchema } from '@qwen/protocol/server';
import { writeFileAtomic } from '@qwen/tools/files';

/** What `~/.qwen/server/server.json` says while a server runs. Whoever posts it takes it down. */
export class ServerNotice implements Disposable {
  readonly #path: string;
  readonly #atExit = (): void => this.remove();

  private constructor(path: string) {
    this.#path = path;
    process.once('exit', this.#atExit);
  }

  /**
   * Writes the file, for this user alone, over the one of a server before (S110). It goes with the process too, unless
   * that is killed: then its pid and start time say that it is nobody's. Errors: `storage_unwritable`.
   */
  static async post(folder: string, { url, token }: Pick<RunningServer, 'url' | 'token'>): Promise<ServerNotice> {
    const path = join(folder, 'server.json');
    const notice: RunningServer = { url, token, pid: process.pid, start_time: await ownStartTime() };
    try {
      await writeFileAtomic(path, `${JSON.stringify(notice)}\n`, { mode: 0o600, folderMode: 0o700 });
    } catch (thrown) {
      throw AgentError.from(thrown, 'storage_unwritable');
    }
    return new ServerNotice(path);
  }

  /** Removes the file, unless another server has written it since. Never throws; twice is as good as once. */
  remove(): void {
    process.off('exit', this.#atExit);
    try {
      const notice = runningServerSchema.parse(JSON.parse(readFileSync(this.#path, 'utf8')));
      if (notice.pid === process.pid) rmSync(this.#path);
    } catch {
      // Gone already, or not ours to judge.
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
