import { type Context, SpanKind, type Tracer } from '@opentelemetry/api';
import type { AgentEvent, ToolOutcome } from '@qwen/agent';
import type { AgentMetrics } from './agent-metrics.js';
import {
  CONVERSATION_ID,
  OPERATION,
  TOOL_CALL_ID,
  TOOL_DENIED,
  TOOL_KIND,
  TOOL_NAME,
  TOOL_STATUS,
  TOOL_TYPE,
} from './attributes.js';
import { argumentsContent, resultContent } from './content.js';
import { LiveSpan } from './live-span.js';

export interface CallSpansOptions {
  readonly tracer: Tracer;
  readonly sessionId: string;
  readonly metrics: AgentMetrics;
  readonly includesContent: boolean;
  readonly nowMs: () => number;
  /** Parent of a subagent's calls; null for the main agent. */
  readonly placeOf: (parentCallId: string | null) => Context;
}

/** The model chose the name, so it may be long. */
const LONGEST_NAME = 100;

/**
 * Tool calls, from the announcement to the result, including hooks, the question and the queue; `qwen.tool.running`
 * marks the actual start.
 */
export class CallSpans {
  readonly #options: CallSpansOptions;
  readonly #open = new Map<string, LiveSpan>();

  constructor(options: CallSpansOptions) {
    this.#options = options;
  }

  contextOf(callId: string): Context | undefined {
    return this.#open.get(callId)?.context;
  }

  start({ callId, name, kind, input, parentToolUseId }: Extract<AgentEvent, { type: 'tool_pending' }>): void {
    const { tracer, sessionId, placeOf, metrics, includesContent, nowMs } = this.#options;
    const shownName = name.slice(0, LONGEST_NAME);
    const shared = { [OPERATION]: 'execute_tool', [TOOL_NAME]: shownName };
    const attributes = {
      ...shared,
      ...(includesContent && argumentsContent(input)),
      [TOOL_CALL_ID]: callId,
      [TOOL_TYPE]: 'function',
      [TOOL_KIND]: kind,
      [CONVERSATION_ID]: sessionId,
    };
    const parent = placeOf(parentToolUseId);
    const span = tracer.startSpan(`execute_tool ${shownName}`, { kind: SpanKind.INTERNAL, attributes }, parent);
    const startedAtMs = nowMs();
    const recordEnd = (error: string | undefined): void => {
      metrics.recordTool({ seconds: (nowMs() - startedAtMs) / 1_000, attributes: shared, error });
    };
    this.#open.set(callId, new LiveSpan(span, parent, recordEnd));
  }

  note(callId: string, what: string): void {
    this.#open.get(callId)?.note(what);
  }

  end({ callId, status, denial, content }: ToolOutcome): void {
    const span = this.#open.get(callId);
    this.#open.delete(callId);
    if (this.#options.includesContent) span?.set(resultContent(content));
    span?.set({ [TOOL_STATUS]: status, ...(denial !== undefined && { [TOOL_DENIED]: true }) });
    if (denial !== undefined) span?.fail('permission_denied');
    else if (status === 'error') span?.fail('tool_failed');
    span?.end();
  }

  endAll(): void {
    for (const span of this.#open.values()) span.end();
    this.#open.clear();
  }
}
