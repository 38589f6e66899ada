import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { withFileLock } from '@qwen/agent/node';
import type { AuthRecord, AuthStorage } from '@qwen/tools';
import * as z from 'zod/mini';
import { readOptionalFile, replaceFile } from '../../files/private-file.js';

const clientSchema = z.looseObject({ client_id: z.string(), client_secret: z.optional(z.string()) });

const recordSchema = z.object({
  tokens: z.optional(
    z.looseObject({ access_token: z.string(), token_type: z.string(), refresh_token: z.optional(z.string()) }),
  ),
  client: z.optional(clientSchema),
});

const fileSchema = z.object({ version: z.literal(1), servers: z.record(z.string(), recordSchema) });

type Servers = z.infer<typeof fileSchema>['servers'];

/** The sign-ins of this user in one private file, by server. Changes are atomic and locked across processes. */
export class TokenFile {
  readonly #stateDirectory: string;
  readonly #path: string;

  constructor(stateDirectory: string) {
    this.#stateDirectory = stateDirectory;
    this.#path = join(stateDirectory, 'mcp-tokens.json');
  }

  of(serverUrl: URL): AuthStorage {
    // Query and fragment do not make another server.
    const key = serverUrl.origin + serverUrl.pathname;
    return {
      load: async () => toRecord((await this.#read())[key]),
      save: (record) => this.#change(key, record),
    };
  }

  async #change(key: string, record: AuthRecord | undefined): Promise<void> {
    await mkdir(this.#stateDirectory, { recursive: true, mode: 0o700 });
    await withFileLock(`${this.#path}.lock`, async () => {
      const { [key]: _before, ...others } = await this.#read();
      const servers = record === undefined ? others : { ...others, [key]: record };
      await replaceFile(this.#path, `${JSON.stringify({ version: 1, servers }, undefined, 2)}\n`);
    });
  }

  /** An unreadable file counts as empty and is replaced. */
  async #read(): Promise<Servers> {
    const text = await readOptionalFile(this.#path);
    try {
      return z.safeParse(fileSchema, JSON.parse(text ?? '{}')).data?.servers ?? {};
    } catch {
      return {};
    }
  }
}

function toRecord(stored: Servers[string] | undefined): AuthRecord | undefined {
  return stored;
}
