import { join } from 'node:path';
import type { CliMcpServerConfig } from '@qwen/protocol';
import * as z from 'zod/mini';
import type { McpServerOrigin } from '../config/mcp-servers.js';
import { withSettingsLock } from '../config/settings-lock.js';
import { readOptionalFile, replaceFile } from '../files/private-file.js';
import { hashValue } from './definition-hash.js';

const toolSchema = z.object({
  fingerprint: z.string(),
  /** The server added it later, and no one has approved it. */
  isNew: z.optional(z.boolean()),
});
const fileSchema = z.object({ version: z.literal(1), tools: z.record(z.string(), toolSchema) });

/** Keyed by the server's own names for its tools. */
export type ApprovedTools = Readonly<Record<string, z.infer<typeof toolSchema>>>;

export interface ApprovalKey {
  readonly name: string;
  readonly config: CliMcpServerConfig;
  readonly origin: McpServerOrigin;
  readonly cwd: string;
}

/** The approved definitions of tools. One private file per server. */
export class ToolApprovals {
  readonly #stateDirectory: string;

  constructor(stateDirectory: string) {
    this.#stateDirectory = stateDirectory;
  }

  /** Undefined for an unknown server. An unreadable file approves nothing. */
  async read(key: ApprovalKey): Promise<ApprovedTools | undefined> {
    const text = await readOptionalFile(this.#fileOf(key));
    if (text === undefined) return undefined;
    try {
      return z.safeParse(fileSchema, JSON.parse(text)).data?.tools ?? {};
    } catch {
      return {};
    }
  }

  async add(key: ApprovalKey, tools: ApprovedTools): Promise<void> {
    await withSettingsLock(this.#stateDirectory, async () => {
      const all = { ...(await this.read(key)), ...tools };
      await replaceFile(this.#fileOf(key), JSON.stringify({ version: 1, tools: all }));
    });
  }

  /** The tools count as approved as they are when the server starts next. */
  async forget(key: ApprovalKey): Promise<void> {
    const { rm } = await import('node:fs/promises');
    await withSettingsLock(this.#stateDirectory, () => rm(this.#fileOf(key), { force: true }));
  }

  /** Variables, headers and the query of a URL may contain tokens that change with each run. */
  #fileOf({ name, config, origin, cwd }: ApprovalKey): string {
    const { command, args, cwd: folder, url, httpUrl, tcp } = config;
    const place = { command, args, folder, url: withoutQuery(url), httpUrl: withoutQuery(httpUrl), tcp };
    const id = hashValue({ name, ...place, ...(origin !== 'user' && { cwd }) }).slice(0, 32);
    return join(this.#stateDirectory, 'mcp-tool-approvals', `${id}.json`);
  }
}

function withoutQuery(url: string | undefined): string | undefined {
  return url?.split(/[?#]/, 1)[0];
}
