import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { CliMcpServerConfig } from '@qwen/protocol';
import { type McpToolEntry, mcpToolSchema } from '@qwen/tools';
import * as z from 'zod/mini';
import { readOptionalFile, replaceFile } from '../files/private-file.js';
import { hashDefinition } from './definition-hash.js';

const memorySchema = z.object({
  version: z.literal(1),
  /** Of the complete definition that these tools belong to. */
  definition: z.string(),
  tools: z.array(mcpToolSchema),
});

/** What a server was like the last time. */
export interface RememberedServer {
  readonly isSameDefinition: boolean;
  readonly tools: readonly McpToolEntry[];
}

export interface MemoryKey {
  readonly name: string;
  readonly config: CliMcpServerConfig;
  /** Absolute path of the workspace: servers of two projects may have one name. */
  readonly cwd: string;
}

/**
 * The tools of servers as they were the last time, so that a server can start late (`lazy`) and a change of what a
 * server says about itself is seen (S94). One private file a server.
 */
export class ToolMemory {
  readonly #directory: string;

  constructor(stateDirectory: string) {
    this.#directory = join(stateDirectory, 'mcp-tools');
  }

  /** Undefined for a server that was never seen, or whose file cannot be understood. */
  async recall(key: MemoryKey): Promise<RememberedServer | undefined> {
    const text = await readOptionalFile(this.#fileOf(key));
    if (text === undefined) return undefined;
    try {
      const { data } = z.safeParse(memorySchema, JSON.parse(text));
      return data && { isSameDefinition: data.definition === hashDefinition(key.config), tools: data.tools };
    } catch {
      return undefined;
    }
  }

  async keep(key: MemoryKey, tools: readonly McpToolEntry[]): Promise<void> {
    const memory = { version: 1, definition: hashDefinition(key.config), tools };
    await replaceFile(this.#fileOf(key), JSON.stringify(memory));
  }

  #fileOf({ name, cwd }: MemoryKey): string {
    const id = createHash('sha256').update(`${cwd}\0${name}`).digest('hex').slice(0, 32);
    return join(this.#directory, `${id}.json`);
  }
}

/** The names of tools that say something else about themselves than before; new and missing ones are no change. */
export function changedTools(before: readonly McpToolEntry[], now: readonly McpToolEntry[]): string[] {
  const words = new Map(before.map((tool) => [tool.name, wordsOf(tool)]));
  return now.filter((tool) => (words.get(tool.name) ?? wordsOf(tool)) !== wordsOf(tool)).map(({ name }) => name);
}

function wordsOf({ description, inputSchema }: McpToolEntry): string {
  return JSON.stringify([description, inputSchema]);
}
