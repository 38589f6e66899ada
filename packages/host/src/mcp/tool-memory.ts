import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { CliMcpServerConfig } from '@qwen/protocol';
import { type McpToolEntry, mcpToolSchema } from '@qwen/tools';
import * as z from 'zod/mini';
import { readOptionalFile, replaceFile } from '../files/private-file.js';
import { hashDefinition } from './definition-hash.js';

const memorySchema = z.object({
  version: z.literal(1),
  definition: z.string(),
  tools: z.array(mcpToolSchema),
  isLegacy: z.catch(z._default(z.boolean(), false), false),
});

export interface RememberedServer {
  readonly isSameDefinition: boolean;
  readonly tools: readonly McpToolEntry[];
  /** Asking for its era ends the process or costs time. */
  readonly isLegacy: boolean;
}

export interface MemoryKey {
  readonly name: string;
  readonly config: CliMcpServerConfig;
  readonly cwd: string;
}

/**
 * Remembers the tools of servers for lazy starts. One private file per server.
 */
export class ToolMemory {
  readonly #directory: string;

  constructor(stateDirectory: string) {
    this.#directory = join(stateDirectory, 'mcp-tools');
  }

  /** Undefined for an unknown server or an unreadable file. */
  async recall(key: MemoryKey): Promise<RememberedServer | undefined> {
    const text = await readOptionalFile(this.#fileOf(key));
    if (text === undefined) return undefined;
    try {
      const { data } = z.safeParse(memorySchema, JSON.parse(text));
      if (data === undefined) return undefined;
      const { definition, tools, isLegacy } = data;
      return { isSameDefinition: definition === hashDefinition(key.config), tools, isLegacy };
    } catch {
      return undefined;
    }
  }

  async keep(key: MemoryKey, { tools, isLegacy }: Omit<RememberedServer, 'isSameDefinition'>): Promise<void> {
    const memory = { version: 1, definition: hashDefinition(key.config), tools, isLegacy };
    await replaceFile(this.#fileOf(key), JSON.stringify(memory));
  }

  #fileOf({ name, cwd }: MemoryKey): string {
    const id = createHash('sha256').update(`${cwd}\0${name}`).digest('hex').slice(0, 32);
    return join(this.#directory, `${id}.json`);
  }
}
