import type { Client } from '@modelcontextprotocol/client';
import type { ToolContext, ToolResult } from '@qwen/agent';
import { AgentError, type TraceContext } from '@qwen/protocol';
import { askServer, type ProgressNote, type ServerQuestion } from './ask-server.js';
import { type CallClocks, LONGEST_MS } from './call-clock.js';
import type { McpToolEntry } from './mcp-tool.js';
import { paramHeaders } from './param-headers.js';
import { toPlainText } from './plain-text.js';
import { toRequestError } from './request-error.js';
import { type CallResult, callResultSchema, toToolResult } from './result-content.js';

const MAX_PROGRESS_LENGTH = 1024;
const URL_REQUIRED = -32042;

/** Answers one question of the server; false if the user did not agree. */
export type AskUser = (params: unknown, signal: AbortSignal) => Promise<object>;

/** The context of the span of a call; undefined without telemetry. */
export type TraceOf = (callId: string) => TraceContext | undefined;

export interface ToolCall {
  readonly client: Client;
  readonly name: string;
  readonly entry: McpToolEntry;
  /** In milliseconds. Progress restarts it. */
  readonly timeoutMs: number;
  readonly clocks: CallClocks;
  readonly ending: () => AgentError | undefined;
  readonly askUser?: AskUser | undefined;
  readonly sendsHeaders: boolean;
  readonly input: Record<string, unknown>;
  readonly context: ToolContext;
  readonly traceOf?: TraceOf | undefined;
}

/**
 * The end of the turn cancels the call without waiting. Rejects with `aborted`, `timeout`, `tool_failed` or
 * `mcp_failed`.
 */
export async function callTool(call: ToolCall): Promise<ToolResult> {
  const { name, entry, timeoutMs, clocks, context, sendsHeaders, input } = call;
  const { signal, emit } = context;
  const trace = call.traceOf?.(context.callId);
  signal.throwIfAborted();
  // The client never removes its listener, so each call has its own signal.
  const callAbort = new AbortController();
  const abort = () => callAbort.abort(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  const late = new AgentError('timeout', `${name} did not answer within ${timeoutMs} ms.`);
  const clock = clocks.start(timeoutMs, () => callAbort.abort(late));
  const question: ServerQuestion<typeof callResultSchema> = {
    method: 'tools/call',
    params: { name: entry.name, arguments: input, ...(trace !== undefined && { _meta: { ...trace } }) },
    schema: callResultSchema,
    timeout: LONGEST_MS,
    signal: callAbort.signal,
    ...(sendsHeaders && { headers: paramHeaders(entry.inputSchema, input) }),
    onprogress: (note) => {
      clock.restart();
      emit(`${describeProgress(note)}\n`);
    },
  };
  try {
    let result = await askAgainAfterPages(call, question);
    if (result.resultType === 'task') {
      const { awaitTask } = await import('./await-task.js');
      result = await awaitTask(call, { created: result, question, onUpdate: () => clock.restart() });
    }
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

/** Some servers refuse a call until the user has opened a page. */
async function askAgainAfterPages(
  { client, askUser }: ToolCall,
  question: ServerQuestion<typeof callResultSchema>,
): Promise<CallResult> {
  try {
    return await askServer(client, question);
  } catch (thrown) {
    const { UrlElicitationRequiredError } = await import('@modelcontextprotocol/client');
    const { signal } = question;
    if (!(thrown instanceof UrlElicitationRequiredError) || askUser === undefined || signal === undefined) throw thrown;
    for (const page of thrown.elicitations) {
      const answer = await askUser({ ...page, mode: 'url' }, signal);
      if (!('action' in answer) || answer.action !== 'accept') {
        const data = { mcpCode: URL_REQUIRED };
        throw new AgentError('tool_failed', 'The user did not open the page that the server requires.', { data });
      }
    }
    return askServer(client, question);
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
  const { schemaProblem } = await import('./schema-problem.js');
  const problem = schemaProblem(outputSchema, result.structuredContent);
  if (problem === undefined) return;
  throw new AgentError('mcp_failed', `The structured content does not match the output schema: ${problem}`);
}
