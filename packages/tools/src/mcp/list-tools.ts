import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import * as z from 'zod/mini';
import { MAX_DESCRIPTION_LENGTH, type McpToolEntry, mcpToolSchema } from './mcp-tool.js';
import { readPages } from './read-pages.js';
import { toToolNames } from './tool-name.js';

/** Which tools of a server are offered; names as the server gives them (O-38). */
export interface ToolChoice {
  /** Missing: every one. */
  readonly includeTools?: readonly string[] | undefined;
  /** Wins over the above. */
  readonly excludeTools?: readonly string[] | undefined;
}

export interface ListToolsOptions {
  /** For one request, in milliseconds. */
  readonly timeoutMs: number;
  /** Hears what was left out or cut. */
  readonly onNotice?: ((message: string) => void) | undefined;
}

/** All tools of a server that are described as MCP asks, in its order, page by page. */
export async function listTools(client: Client, { timeoutMs, onNotice }: ListToolsOptions): Promise<McpToolEntry[]> {
  const { entries, isCut } = await readPages(client, { method: 'tools/list', timeoutMs });
  // One tool that is described wrongly must not cost the others.
  const tools = entries.flatMap((entry) => z.safeParse(mcpToolSchema, entry).data ?? []);
  const wrong = entries.length - tools.length;
  const long = tools.filter(({ description = '' }) => description.length > MAX_DESCRIPTION_LENGTH);
  if (isCut) onNotice?.(`It lists too many tools: only the first ${entries.length} are offered.`);
  if (wrong > 0) onNotice?.(`${wrong} of its tools are described wrongly and left out.`);
  if (long.length > 0) onNotice?.(`The descriptions of ${long.length} of its tools are too long and were cut.`);
  return tools;
}

/** The tools of a server that are offered, with our names of them. */
export function nameTools(
  serverName: string,
  tools: readonly McpToolEntry[],
  { includeTools, excludeTools = [] }: ToolChoice,
): { readonly name: string; readonly entry: McpToolEntry }[] {
  // Names are made of all tools, so that a choice does not change them.
  const names = toToolNames(
    serverName,
    tools.map((entry) => entry.name),
  );
  return tools
    .map((entry, index) => ({ name: names[index] ?? entry.name, entry }))
    .filter(({ entry }) => includeTools?.includes(entry.name) ?? true)
    .filter(({ entry }) => !excludeTools.includes(entry.name));
}
