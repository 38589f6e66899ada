import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentError, systemCodeOf } from '@qwen/protocol';
import { writeFileAtomic } from '@qwen/tools/files';
import { hashOf } from './file-state.js';

interface Copy {
  readonly bytes: number;
  readonly usedAtMs: number;
}

/** Copies of file content, named by their SHA-256. When they exceed `maxBytes`, the least recently used ones go. */
export class CopyStore {
  readonly #folder: string;
  readonly #maxBytes: number;
  #copies: Promise<Map<string, Copy>> | undefined;

  constructor(folder: string, maxBytes: number) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  pathOf(hash: string): string {
    return join(this.#folder, hash);
  }

  /** Rejects with the system error. */
  async keep(hash: string, bytes: Uint8Array): Promise<void> {
    const copies = await this.#all();
    const now = Date.now();
    if (copies.has(hash)) await utimes(this.pathOf(hash), now / 1000, now / 1000);
    else await writeFileAtomic(this.pathOf(hash), bytes, { mode: 0o600, folderMode: 0o700 });
    copies.delete(hash);
    copies.set(hash, { bytes: bytes.length, usedAtMs: now });
    await this.#makeRoom(copies, hash);
  }

  /** Undefined if the copy was removed or damaged. */
  async read(hash: string): Promise<Uint8Array | undefined> {
    const bytes = await readFile(this.pathOf(hash)).catch(() => undefined);
    return bytes !== undefined && hashOf(bytes) === hash ? bytes : undefined;
  }

  async has(hash: string): Promise<boolean> {
    return (await this.#all()).has(hash);
  }

  #all(): Promise<Map<string, Copy>> {
    this.#copies ??= this.#list();
    return this.#copies;
  }

  async #list(): Promise<Map<string, Copy>> {
    const names = await readdir(this.#folder).catch((thrown: unknown) => {
      if (systemCodeOf(thrown) === 'ENOENT') return [];
      throw AgentError.from(thrown, 'storage_unwritable');
    });
    const found: [string, Copy][] = [];
    for (const name of names.filter((one) => /^[\da-f]{64}$/.test(one))) {
      const stats = await stat(this.pathOf(name)).catch(() => undefined);
      if (stats?.isFile() === true) found.push([name, { bytes: stats.size, usedAtMs: stats.mtimeMs }]);
    }
    return new Map(found.toSorted(([, one], [, other]) => one.usedAtMs - other.usedAtMs));
  }

  async #makeRoom(copies: Map<string, Copy>, latest: string): Promise<void> {
    let total = [...copies.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    for (const [hash, { bytes }] of copies) {
      if (total <= this.#maxBytes || hash === latest) return;
      await rm(this.pathOf(hash), { force: true });
      copies.delete(hash);
      total -= bytes;
    }
  }
}
