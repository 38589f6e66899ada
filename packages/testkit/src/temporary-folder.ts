import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface TemporaryFolder extends AsyncDisposable {
  /** Absolute and real: no symlink on the way, so that paths compare equal on macOS too. */
  readonly path: string;
  /** Absolute path of something inside. */
  resolve(...segments: readonly string[]): string;
  /** Writes a file inside, with the folders above it. Gives its absolute path. */
  write(name: string, content: string | Uint8Array): Promise<string>;
  /** The text of a file inside. */
  read(name: string): Promise<string>;
}

/** A new empty folder of its own. Take it with `await using`: leaving the scope removes it with all it holds. */
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
    // A process that is just dying may still add a file while we remove: try again instead of failing the test.
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }),
  };
}
