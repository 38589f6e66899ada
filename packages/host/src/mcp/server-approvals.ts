import { join } from 'node:path';
import { AgentError, type CliMcpServerConfig } from '@qwen/protocol';
import * as z from 'zod/mini';
import { withSettingsLock } from '../config/settings-lock.js';
import { readOptionalFile, replaceFile } from '../files/private-file.js';
import { hashDefinition } from './definition-hash.js';

const approvalsSchema = z.record(z.string(), z.record(z.string(), z.string()));

export interface ApprovalScope {
  readonly stateDirectory: string;
  readonly cwd: string;
}

interface NamedServer {
  readonly name: string;
  readonly config: CliMcpServerConfig;
}

/** An approval covers one project, one name and one complete definition. */
export class ServerApprovals {
  readonly #place: ApprovalScope;

  constructor(place: ApprovalScope) {
    this.#place = place;
  }

  async has({ name, config }: NamedServer): Promise<boolean> {
    const all = await this.#read();
    return all[this.#place.cwd]?.[name] === hashDefinition(config);
  }

  async add({ name, config }: NamedServer): Promise<void> {
    await withSettingsLock(this.#place.stateDirectory, async () => {
      const all = await this.#read();
      const here = { ...all[this.#place.cwd], [name]: hashDefinition(config) };
      await replaceFile(this.#file, JSON.stringify({ ...all, [this.#place.cwd]: here }, undefined, 2));
    });
  }

  /** Throws `untrusted_folder`. */
  async assert(server: NamedServer): Promise<void> {
    if (await this.has(server)) return;
    const message = `The project defines this server and you have not approved it. Run: qwen mcp approve ${server.name}`;
    throw new AgentError('untrusted_folder', message);
  }

  get #file(): string {
    return join(this.#place.stateDirectory, 'mcp-approvals.json');
  }

  /** An unreadable file approves nothing. */
  async #read(): Promise<z.infer<typeof approvalsSchema>> {
    const text = await readOptionalFile(this.#file);
    try {
      return z.safeParse(approvalsSchema, JSON.parse(text ?? '{}')).data ?? {};
    } catch {
      return {};
    }
  }
}
