import type { Client } from '@modelcontextprotocol/client';
import * as z from 'zod/mini';
import { MAX_DESCRIPTION_LENGTH, type McpToolEntry, mcpToolSchema } from './mcp-tool.js';
import { declaredHeaders } from './param-headers.js';
import { readPages } from './read-pages.js';
import { toToolNames } from './tool-name.js';

/** Tool names are those of the server. */
export interface ToolChoice {
  /** Default: all. */
  readonly includeTools?: readonly string[] | undefined;
  /** Overrides `includeTools`. */
  readonly excludeTools?: readonly string[] | undefined;
}

export interface ListToolsOptions {
  /** Per request, in milliseconds. */
  readonly timeoutMs: number;
  /** Receives what was skipped or cut. */
  readonly onNotice?: ((message: string) => void) | undefined;
  /** Whether arguments are sent as headers too: modern servers over HTTP. */
  readonly sendsHeaders: boolean;
}

export interface ListedTools {
  readonly entries: readonly McpToolEntry[];
  readonly ttlMs?: number | undefined;
}

export async function listTools(client: Client, options: ListToolsOptions): Promise<ListedTools> {
  const { timeoutMs, onNotice, sendsHeaders } = options;
  const { entries, isCut, ttlMs } = await readPages(client, { method: 'tools/list', timeoutMs });
  // An invalid tool must not affect the others.
  const tools = entries
    .flatMap((entry) => z.safeParse(mcpToolSchema, entry).data ?? [])
    .filter(({ inputSchema }) => !sendsHeaders || declaredHeaders(inputSchema) !== undefined);
  const wrong = entries.length - tools.length;
  const long = tools.filter(({ description = '' }) => description.length > MAX_DESCRIPTION_LENGTH);
  if (isCut) onNotice?.(`It lists too many tools. Only the first ${entries.length} are offered.`);
  if (wrong > 0) onNotice?.(`${wrong} of its tools are invalid and were skipped.`);
  if (long.length > 0) onNotice?.(`The descriptions of ${long.length} of its tools were too long and were cut.`);
  return { entries: tools, ttlMs };
}

export function nameTools(
  serverName: string,
  tools: readonly McpToolEntry[],
  { includeTools, excludeTools = [] }: ToolChoice,
): { readonly name: string; readonly entry: McpToolEntry }[] {
  // Named before the choice, so that it does not change names.
  const names = toToolNames(
    serverName,
    tools.map((entry) => entry.name),
  );
  return tools
    .map((entry, index) => ({ name: names[index] ?? entry.name, entry }))
    .filter(({ entry }) => includeTools?.includes(entry.name) ?? true)
    .filter(({ entry }) => !excludeTools.includes(entry.name));
}
