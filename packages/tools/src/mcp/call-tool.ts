import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { ToolContext, ToolResult } from '@qwen/agent';
import { AgentError } from '@qwen/protocol';
import { type CallClocks, LONGEST_MS } from './call-clock.js';
import type { McpToolEntry } from './mcp-tool.js';
import { toPlainText } from './plain-text.js';
import { toRequestError } from './request-error.js';
import { type CallResult, callResultSchema, toToolResult } from './result-content.js';

const MAX_PROGRESS_LENGTH = 1024;

export interface ToolCall {
  readonly client: Client;
  readonly name: string;
  readonly entry: McpToolEntry;
  /** In milliseconds. Progress restarts it. */
  readonly timeoutMs: number;
  readonly clocks: CallClocks;
  readonly ending: () => AgentError | undefined;
  readonly input: Record<string, unknown>;
  readonly context: ToolContext;
}

interface ProgressNote {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/**
 * The end of the turn cancels the call without waiting. Rejects with `aborted`, `timeout`, `tool_failed` or
 * `mcp_failed`.
 */
export async function callTool(call: ToolCall): Promise<ToolResult> {
  const { client, name, entry, timeoutMs, clocks, input, context } = call;
  const { signal, emit } = context;
  signal.throwIfAborted();
  // The client never removes its listener, so each call has its own signal.
  const callAbort = new AbortController();
  const abort = () => callAbort.abort(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  const late = new AgentError('timeout', `${name} did not answer within ${timeoutMs} ms.`);
  const clock = clocks.start(timeoutMs, () => callAbort.abort(late));
  try {
    const result = await client.request(
      { method: 'tools/call', params: { name: entry.name, arguments: input } },
      callResultSchema,
      {
        signal: callAbort.signal,
        timeout: LONGEST_MS,
        onprogress: (note) => {
          clock.restart();
          emit(`${describeProgress(note)}\n`);
        },
      },
    );
    await assertStructure(entry, result);
    return toToolResult(result);
  } catch (error) {
    if (signal.aborted) throw new AgentError('aborted', `${name} was stopped.`, { cause: error });
    if (callAbort.signal.aborted) throw late;
    throw await toRequestError(error, { name, timeoutMs, ending: call.ending() });
  } finally {
    clocks.stop(clock);
    signal.removeEventListener('abort', abort);
  }
}

function describeProgress({ progress, total, message }: ProgressNote): string {
  const count = total === undefined ? String(progress) : `${progress}/${total}`;
  return message === undefined ? count : `${count} ${toPlainText(message, MAX_PROGRESS_LENGTH)}`;
}

/** Throws `mcp_failed`. */
async function assertStructure({ outputSchema }: McpToolEntry, result: CallResult): Promise<void> {
  if (outputSchema === undefined || result.isError) return;
  if (result.structuredContent === undefined) {
    throw new AgentError('mcp_failed', 'The result lacks the structured content that the output schema requires.');
  }
  const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/sdk/validation/ajv');
  const verdict = new AjvJsonSchemaValidator().getValidator(outputSchema)(result.structuredContent);
  if (!verdict.valid) {
    throw new AgentError(
      'mcp_failed',
      `The structured content does not match the output schema: ${verdict.errorMessage}`,
    );
  }
}
