import type { Tool, ToolContext, ToolDefinition, ToolResult } from '@qwen/agent';
import { AgentError } from '@qwen/protocol';
import * as z from 'zod/mini';
import { toPlainText, withPlainDescriptions } from './plain-text.js';

export const MAX_DESCRIPTION_LENGTH = 4096;
const MAX_SCHEMA_TEXT_LENGTH = 1024;
const MAX_TITLE_LENGTH = 200;

export const mcpToolSchema = z.looseObject({
  name: z.string().check(z.minLength(1)),
  title: z.catch(z.optional(z.string()), undefined),
  annotations: z.catch(
    z.optional(
      z.looseObject({
        title: z.optional(z.string()),
        readOnlyHint: z.optional(z.boolean()),
        destructiveHint: z.optional(z.boolean()),
      }),
    ),
    undefined,
  ),
  description: z.optional(z.string()),
  inputSchema: z.looseObject({ type: z.literal('object') }),
  outputSchema: z.optional(z.record(z.string(), z.unknown())),
});
export type McpToolEntry = z.output<typeof mcpToolSchema>;

export interface McpToolOptions {
  /** The name that the model uses. */
  readonly name: string;
  /** As configured. */
  readonly serverName: string;
  readonly entry: McpToolEntry;
  /** Whether it runs without approval. */
  readonly isTrusted: boolean;
  readonly definition?: ToolDefinition | undefined;
  readonly run: (input: Record<string, unknown>, context: ToolContext) => Promise<ToolResult>;
}

/** The server validates the input. Its hints decide about the order of calls, never about permissions. */
export function mcpTool({
  name,
  serverName,
  entry,
  isTrusted,
  definition,
  run,
}: McpToolOptions): Tool<Record<string, unknown>> {
  return {
    name,
    aliases: [],
    description: toPlainText(entry.description ?? '', MAX_DESCRIPTION_LENGTH),
    inputSchema: withPlainDescriptions(entry.inputSchema, MAX_SCHEMA_TEXT_LENGTH),
    kind: 'other',
    isTrusted,
    service: { name: serverName, changes: statesChange(entry) },
    ...(definition !== undefined && { definition }),
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

function statesChange({ annotations }: McpToolEntry): boolean {
  return annotations?.readOnlyHint === false || annotations?.destructiveHint === true;
}

function titleOf({ name, title, annotations }: McpToolEntry): string {
  return toPlainText((title ?? annotations?.title ?? '').trim() || name, MAX_TITLE_LENGTH);
}
