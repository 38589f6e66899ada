import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Tool, ToolContext, ToolResult } from '@qwen/agent';
import { AgentError } from '@qwen/protocol';
import * as z from 'zod/mini';
import { toPlainText, withPlainDescriptions } from './plain-text.js';
import { type CallResult, callResultSchema, toToolResult } from './result-content.js';

const MAX_DESCRIPTION_LENGTH = 4096;
const MAX_SCHEMA_TEXT_LENGTH = 1024;
/** Codes of the client library for what never came from the server. */
const REQUEST_TIMED_OUT = -32001;
const CONNECTION_CLOSED = -32000;

/** A tool as a server lists it. */
export const mcpToolSchema = z.looseObject({
  name: z.string().check(z.minLength(1)),
  description: z.optional(z.string()),
  inputSchema: z.looseObject({ type: z.literal('object') }),
  outputSchema: z.optional(z.record(z.string(), z.unknown())),
});
export type McpToolEntry = z.output<typeof mcpToolSchema>;

export interface McpToolOptions {
  readonly client: Client;
  /** Our name of it. */
  readonly name: string;
  readonly entry: McpToolEntry;
  /** For one call, in milliseconds; each progress message starts it anew (FB14). */
  readonly timeoutMs: number;
}

/** Progress notes of a server as live output. */
interface ProgressNote {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/**
 * A tool of an MCP server as one of ours. Its input goes out as it came in: only the server knows what is right. What
 * the server says about harmlessness is not believed (S95): its kind is always `other`.
 */
export function mcpTool(options: McpToolOptions): Tool<Record<string, unknown>> {
  const { name, entry } = options;
  return {
    name,
    aliases: [],
    description: toPlainText(entry.description ?? '', MAX_DESCRIPTION_LENGTH),
    inputSchema: withPlainDescriptions(entry.inputSchema, MAX_SCHEMA_TEXT_LENGTH),
    kind: 'other',
    parse(input) {
      const parsed = z.safeParse(z.record(z.string(), z.unknown()), input ?? {});
      if (parsed.success) return parsed.data;
      throw new AgentError('invalid_tool_input', `${name}: the input must be an object.`);
    },
    paths: () => [],
    execute: (input, context) => call(options, input, context),
  };
}

async function call(
  { client, name, entry, timeoutMs }: McpToolOptions,
  input: Record<string, unknown>,
  { signal, emit }: ToolContext,
): Promise<ToolResult> {
  signal.throwIfAborted();
  // The client keeps listening on the signal after the answer, so it gets one that ends with the call.
  const callAbort = new AbortController();
  const abort = () => callAbort.abort(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    const result = await client.request(
      { method: 'tools/call', params: { name: entry.name, arguments: input } },
      callResultSchema,
      {
        signal: callAbort.signal,
        timeout: timeoutMs,
        resetTimeoutOnProgress: true,
        onprogress: (note) => emit(`${describeProgress(note)}\n`),
      },
    );
    await assertStructure(entry, result);
    return toToolResult(result);
  } catch (error) {
    if (signal.aborted) throw new AgentError('aborted', `${name} was stopped.`, { cause: error });
    throw await toCallError(error, name, timeoutMs);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function describeProgress({ progress, total, message }: ProgressNote): string {
  const count = total === undefined ? String(progress) : `${progress}/${total}`;
  return message === undefined ? count : `${count} ${toPlainText(message, MAX_SCHEMA_TEXT_LENGTH)}`;
}

/** Throws `mcp_failed` when the structured part is not what the server itself promised (F112). */
async function assertStructure({ outputSchema }: McpToolEntry, result: CallResult): Promise<void> {
  if (outputSchema === undefined || result.isError) return;
  if (result.structuredContent === undefined) {
    throw new AgentError('mcp_failed', 'The answer lacks the structured content that the tool promises.');
  }
  const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/sdk/validation/ajv');
  const verdict = new AjvJsonSchemaValidator().getValidator(outputSchema)(result.structuredContent);
  if (!verdict.valid) {
    throw new AgentError('mcp_failed', `The structured content is not what the tool promises: ${verdict.errorMessage}`);
  }
}

async function toCallError(error: unknown, name: string, timeoutMs: number): Promise<AgentError> {
  const { McpError } = await import('@modelcontextprotocol/sdk/types.js');
  if (!(error instanceof McpError)) return AgentError.from(error, 'tool_failed');
  if (error.code === REQUEST_TIMED_OUT) {
    return new AgentError('timeout', `${name} did not answer within ${timeoutMs} ms.`, { cause: error });
  }
  const code = error.code === CONNECTION_CLOSED ? 'mcp_failed' : 'tool_failed';
  return new AgentError(code, `${name}: ${error.message}`, { cause: error, data: { mcpCode: error.code } });
}
