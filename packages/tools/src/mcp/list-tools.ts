import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { AnyTool } from '@qwen/agent';
import * as z from 'zod/mini';
import { type McpToolEntry, mcpTool, mcpToolSchema } from './mcp-tool.js';
import { toToolNames } from './tool-name.js';

/** A server that gives more pages or tools is cut off: no model can use so many. */
const MAX_PAGES = 50;
const MAX_TOOLS = 1000;

const pageSchema = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.optional(z.string()) });

export interface ListToolsOptions {
  readonly serverName: string;
  /** For one request, in milliseconds. */
  readonly timeoutMs: number;
}

/** All tools of a server as ours, in its order, page by page. */
export async function listTools(client: Client, { serverName, timeoutMs }: ListToolsOptions): Promise<AnyTool[]> {
  const entries = await listEntries(client, timeoutMs);
  const names = toToolNames(
    serverName,
    entries.map((entry) => entry.name),
  );
  return entries.map((entry, index) => mcpTool({ client, name: names[index] ?? entry.name, entry, timeoutMs }));
}

async function listEntries(client: Client, timeout: number): Promise<McpToolEntry[]> {
  const entries: McpToolEntry[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES && entries.length < MAX_TOOLS; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await client.request({ method: 'tools/list', params }, pageSchema, { timeout });
    // One tool that is described wrongly must not cost the others.
    entries.push(...answer.tools.map((tool) => z.safeParse(mcpToolSchema, tool)).flatMap(({ data }) => data ?? []));
    cursor = answer.nextCursor;
    // A cursor that comes again would lead in a circle.
    if (cursor === undefined || seen.has(cursor)) break;
    seen.add(cursor);
  }
  return entries.slice(0, MAX_TOOLS);
}
