import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentError, type SessionRecord, sessionRecordSchema, systemCodeOf } from '@qwen/protocol';
import type { Checkpoint, CheckpointStore } from '../host/session-controls.js';
import { storageError, writeAtomic } from './write-atomic.js';

const PREFIX = 'checkpoint-';
const SUFFIX = '.jsonl';
/** Leaves room for prefix and suffix in a 255-byte file name. */
const MAX_TAG_BYTES = 180;

/** Stores each checkpoint as a JSON Lines file of session records, readable by the user only. */
export class CheckpointFolder implements CheckpointStore {
  readonly #folder: string;

  /** `folder` is absolute and specific to a workspace. Created on first use. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async list(): Promise<readonly Checkpoint[]> {
    const names = await readdir(this.#folder).catch((error: unknown) => noneIfMissing(error, []));
    const found = await Promise.all(names.map((name) => this.#readName(name)));
    return found.flatMap((one) => one ?? []).toSorted((one, other) => other.savedAtMs - one.savedAtMs);
  }

  async save(tag: string, records: readonly SessionRecord[]): Promise<void> {
    const text = records.map((record) => `${JSON.stringify(record)}\n`).join('');
    await writeAtomic({ path: this.#pathOf(tag), text, access: 'user' });
  }

  async load(tag: string): Promise<readonly SessionRecord[] | undefined> {
    const text = await readFile(this.#pathOf(tag), 'utf8').catch((error: unknown) => noneIfMissing(error, undefined));
    const lines = text?.split('\n').filter((line) => line !== '');
    return lines?.map((line, index) => readRecord(line, { tag, number: index + 1 }));
  }

  async delete(tag: string): Promise<boolean> {
    try {
      await rm(this.#pathOf(tag));
      return true;
    } catch (error) {
      return noneIfMissing(error, false);
    }
  }

  async #readName(name: string): Promise<Checkpoint | undefined> {
    if (!name.startsWith(PREFIX) || !name.endsWith(SUFFIX)) return undefined;
    const tag = decodeTag(name.slice(PREFIX.length, -SUFFIX.length));
    const stats = await stat(join(this.#folder, name)).catch(() => undefined);
    return tag === undefined || stats?.isFile() !== true ? undefined : { tag, savedAtMs: stats.mtimeMs };
  }

  /** Percent-encodes the tag, so that it cannot leave the folder. */
  #pathOf(tag: string): string {
    const encoded = encodeTag(tag);
    if (encoded.length > MAX_TAG_BYTES) throw new AgentError('invalid_payload', 'The checkpoint name is too long.');
    return join(this.#folder, `${PREFIX}${encoded}${SUFFIX}`);
  }
}

/** Encodes uppercase letters too, because some file systems ignore case. */
function encodeTag(tag: string): string {
  return [...Buffer.from(tag)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[a-z\d_-]/.test(character) ? character : `%${byte.toString(16).padStart(2, '0')}`;
    })
    .join('');
}

function decodeTag(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

function readRecord(line: string, { tag, number }: { readonly tag: string; readonly number: number }): SessionRecord {
  try {
    return sessionRecordSchema.parse(JSON.parse(line));
  } catch (cause) {
    const message = `Cannot read line ${number} of the checkpoint "${tag}". Delete it with /chat delete ${tag}.`;
    throw new AgentError('storage_damaged', message, { cause });
  }
}

function noneIfMissing<T>(error: unknown, none: T): T {
  if (systemCodeOf(error) === 'ENOENT') return none;
  throw storageError(error, 'Cannot read the checkpoints');
}
