import type { Tool, ToolContext, ToolResult } from '@qwen/agent';
import { AgentError } from '@qwen/protocol';
import * as z from 'zod/mini';
import { toPlainText, withPlainDescriptions } from './plain-text.js';

export const MAX_DESCRIPTION_LENGTH = 4096;
const MAX_SCHEMA_TEXT_LENGTH = 1024;
const MAX_TITLE_LENGTH = 200;

/** A tool as a server lists it. */
export const mcpToolSchema = z.looseObject({
  name: z.string().check(z.minLength(1)),
  // Words for people; wrong ones must not cost the tool.
  title: z.catch(z.optional(z.string()), undefined),
  annotations: z.catch(z.optional(z.looseObject({ title: z.optional(z.string()) })), undefined),
  description: z.optional(z.string()),
  inputSchema: z.looseObject({ type: z.literal('object') }),
  outputSchema: z.optional(z.record(z.string(), z.unknown())),
});
export type McpToolEntry = z.output<typeof mcpToolSchema>;

export interface McpToolOptions {
  /** Our name of it. */
  readonly name: string;
  /** The server, as its settings name it. */
  readonly serverName: string;
  readonly entry: McpToolEntry;
  /** Whether the user lets it run without a question. */
  readonly isTrusted: boolean;
  readonly run: (input: Record<string, unknown>, context: ToolContext) => Promise<ToolResult>;
}

/**
 * A tool of an MCP server as one of ours. Its input goes out as it came in: only the server knows what is right. What
 * the server says about harmlessness is not believed (S95): its kind is always `other`.
 */
export function mcpTool({ name, serverName, entry, isTrusted, run }: McpToolOptions): Tool<Record<string, unknown>> {
  return {
    name,
    aliases: [],
    description: toPlainText(entry.description ?? '', MAX_DESCRIPTION_LENGTH),
    inputSchema: withPlainDescriptions(entry.inputSchema, MAX_SCHEMA_TEXT_LENGTH),
    kind: 'other',
    isTrusted,
    parse(input) {
      const parsed = z.safeParse(z.record(z.string(), z.unknown()), input ?? {});
      if (parsed.success) return parsed.data;
      throw new AgentError('invalid_tool_input', `${name}: the input must be an object.`);
    },
    paths: () => [],
    preview: () => Promise.resolve({ type: 'mcp', server: serverName, tool: entry.name, displayName: titleOf(entry) }),
    execute: run,
  };
}

/** The name of a tool for people, as its server words it. */
function titleOf({ name, title, annotations }: McpToolEntry): string {
  return toPlainText((title ?? annotations?.title ?? '').trim() || name, MAX_TITLE_LENGTH);
}
