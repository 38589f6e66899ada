import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface TemporaryFolder extends AsyncDisposable {
  /** A real path, so that paths compare equal on macOS too. */
  readonly path: string;
  resolve(...segments: readonly string[]): string;
  /** Creates parent folders. Returns the absolute path. */
  write(name: string, content: string | Uint8Array): Promise<string>;
  read(name: string): Promise<string>;
}

/** A new empty folder, removed with its content on disposal. */
export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'qwen-test-')));
  const resolve = (...segments: readonly string[]) => join(path, ...segments);
  return {
    path,
    resolve,
    async write(name, content) {
      const file = resolve(name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
      return file;
    },
    read: (name) => readFile(resolve(name), 'utf8'),
    // A dying process may still add a file; retry.
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }),
  };
}
