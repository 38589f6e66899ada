import { constants } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { withFileLock } from '@qwen/agent/node';
import { AgentError, systemCodeOf } from '@qwen/protocol';
import * as z from 'zod/mini';
import { CREDENTIALS_FILE } from '../config/config-dir.js';
import { replaceFile } from '../files/private-file.js';
import { accountOf, findKeychain, type Keychain } from './keychain.js';

const MAX_BYTES = 1024 * 1024;
const NAME = /^[\w.-]{1,64}$/;

const recordSchema = z.object({
  /** The address that may receive the key. Missing: the public one of the provider. */
  baseUrl: z.optional(z.string()),
  savedAt: z.string(),
  /** Missing: the key is in the keychain. */
  key: z.optional(z.string()),
});
const fileSchema = z.object({ version: z.literal(1), providers: z.record(z.string(), recordSchema) });
type Records = z.infer<typeof fileSchema>['providers'];

export type CredentialStorage = 'keychain' | 'file';

export interface StoredCredential {
  readonly provider: string;
  readonly baseUrl?: string | undefined;
  readonly place: CredentialStorage;
  readonly savedAt: string;
  /** Missing if it cannot be read; `problem` is the reason. */
  readonly key?: string | undefined;
  readonly problem?: string | undefined;
}

export interface NewCredential {
  readonly provider: string;
  readonly key: string;
  readonly baseUrl?: string | undefined;
  /** Default: the keychain, if there is one that works. */
  readonly place?: CredentialStorage | undefined;
}

export interface SavedCredential {
  readonly place: CredentialStorage;
  /** For messages. */
  readonly where: string;
  /** Why the keychain was not used, if there is one. */
  readonly problem?: string;
}

/**
 * The keys of model providers, in the keychain or in a private file. Changes are atomic and locked across processes.
 * Tools, hooks and MCP servers never receive these keys.
 */
export class CredentialStore {
  readonly path: string;
  readonly #configDir: string;
  readonly #keychain: Keychain | undefined;

  constructor(configDir: string, keychain: Keychain | undefined = findKeychain()) {
    this.#configDir = configDir;
    this.path = join(configDir, CREDENTIALS_FILE);
    this.#keychain = keychain;
  }

  /** In the order of the last save. Rejects with `storage_unwritable` for a file that must not be used. */
  async list(): Promise<readonly StoredCredential[]> {
    const records = Object.entries(await this.#read()).toSorted(([, a], [, b]) => b.savedAt.localeCompare(a.savedAt));
    return Promise.all(
      records.map(async ([provider, { baseUrl, savedAt, key }]) => {
        const found = key === undefined ? await this.#loadFromKeychain(provider) : { key };
        return { provider, baseUrl, savedAt, place: key === undefined ? 'keychain' : 'file', ...found } as const;
      }),
    );
  }

  /** Replaces the key of this provider. Rejects with `usage` or `storage_unwritable`. */
  async save({ provider, key, baseUrl, place }: NewCredential): Promise<SavedCredential> {
    if (!NAME.test(provider)) {
      throw new AgentError(
        'usage',
        `"${provider}" is not a name of a provider: use letters, digits, ".", "_" and "-".`,
      );
    }
    if (place === 'keychain' && this.#keychain === undefined) {
      throw new AgentError('usage', 'There is no keychain here. It needs secret-tool and a desktop session.');
    }
    return this.#change(async (records) => {
      const { problem, isStored } = await this.#saveToKeychain(provider, { key, place });
      if (!isStored && records[provider]?.key === undefined) await this.#removeFromKeychain(provider);
      const savedAt = new Date().toISOString();
      const record = { ...(baseUrl !== undefined && { baseUrl }), savedAt, ...(!isStored && { key }) };
      const saved = isStored
        ? ({ place: 'keychain', where: this.#keychain?.title ?? '' } as const)
        : ({ place: 'file', where: this.path, ...(problem !== undefined && { problem }) } as const);
      return { records: { ...records, [provider]: record }, result: saved };
    });
  }

  /** False if there was none. Rejects with `storage_unwritable`. */
  async remove(provider: string): Promise<boolean> {
    return this.#change(async ({ [provider]: record, ...records }) => {
      if (record !== undefined && record.key === undefined) await this.#keychain?.remove(this.#account(provider));
      return { records, result: record !== undefined };
    });
  }

  async #loadFromKeychain(provider: string): Promise<Pick<StoredCredential, 'key' | 'problem'>> {
    if (this.#keychain === undefined) return { problem: 'The keychain is not available in this session.' };
    try {
      const key = await this.#keychain.load(this.#account(provider));
      return key === undefined ? { problem: `${this.#keychain.title} no longer has it.` } : { key };
    } catch (thrown) {
      return { problem: AgentError.from(thrown).message };
    }
  }

  /** A chosen keychain must work; the default one may fail. */
  async #saveToKeychain(
    provider: string,
    { key, place }: Pick<NewCredential, 'key' | 'place'>,
  ): Promise<{ readonly isStored: boolean; readonly problem?: string }> {
    if (this.#keychain === undefined || place === 'file') return { isStored: false };
    try {
      await this.#keychain.save(this.#account(provider), key);
      if ((await this.#keychain.load(this.#account(provider))) === key) return { isStored: true };
      throw new AgentError('storage_unwritable', `${this.#keychain.title} did not keep the key.`);
    } catch (thrown) {
      if (place === 'keychain') throw thrown;
      return { isStored: false, problem: AgentError.from(thrown).message };
    }
  }

  async #removeFromKeychain(provider: string): Promise<void> {
    await this.#keychain?.remove(this.#account(provider)).catch(() => undefined);
  }

  #account(provider: string): string {
    return accountOf(provider, this.#configDir);
  }

  async #change<Result>(
    step: (records: Records) => Promise<{ readonly records: Records; readonly result: Result }>,
  ): Promise<Result> {
    try {
      await mkdir(this.#configDir, { recursive: true, mode: 0o700 });
    } catch (cause) {
      throw new AgentError('storage_unwritable', `${this.#configDir} cannot be created.`, { cause });
    }
    return withFileLock(`${this.path}.lock`, async () => {
      const { records, result } = await step(await this.#read());
      await replaceFile(this.path, `${JSON.stringify({ version: 1, providers: records }, undefined, 2)}\n`);
      return result;
    });
  }

  async #read(): Promise<Records> {
    const text = await readOwnFile(this.path);
    if (text === undefined) return {};
    try {
      return fileSchema.parse(JSON.parse(text)).providers;
    } catch {
      // The cause would quote the file.
      throw unusable(this.path, 'does not have the expected format. Delete it and sign in again');
    }
  }
}

/** Another user could put a link or a file there. */
async function readOwnFile(path: string): Promise<string | undefined> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)).catch(
    (cause: unknown) => {
      const code = systemCodeOf(cause);
      if (code === 'ENOENT') return undefined;
      if (code === 'ELOOP') throw unusable(path, 'is a link. Replace it with a file of yours');
      throw unusable(path, `cannot be read (${code ?? 'unknown error'}). Check its owner and mode`);
    },
  );
  if (file === undefined) return undefined;
  try {
    const stats = await file.stat();
    const user = process.getuid?.();
    if (user !== undefined && user !== 0 && stats.uid !== user)
      throw unusable(path, 'belongs to another user. Delete it');
    if (!stats.isFile() || stats.size > MAX_BYTES) throw unusable(path, 'is not a file of qwen. Delete it');
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

function unusable(path: string, problem: string): AgentError {
  return new AgentError('storage_unwritable', `${path} ${problem}.`);
}
