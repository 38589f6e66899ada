import type { AgentError, ControlTracer, TraceContext } from '@qwen/protocol';

export interface TraceEnding {
  readonly outcome: 'finished' | 'closed' | 'aborted' | 'failed';
  readonly error?: AgentError | undefined;
  readonly sessionId?: string | undefined;
  readonly lastResult?: string | undefined;
}

/** The span of one query. Free of OpenTelemetry types: apps without it must compile. Nothing throws. */
export interface QueryTrace {
  readonly control: ControlTracer;
  /** Only the first call counts. */
  begin(): void;
  forChild(): TraceContext | undefined;
  /** Undefined if it equals that of the CLI. */
  forPrompt(): TraceContext | undefined;
  /** Only the first call counts. */
  end(ending: TraceEnding): void;
}

/** Empty ones replace those inherited. */
export function traceVariables(trace: TraceContext | undefined): Record<string, string> {
  return trace === undefined ? {} : { TRACEPARENT: trace.traceparent, TRACESTATE: trace.tracestate ?? '' };
}

/** W3C Trace Context. */
export function traceHeaders(trace: TraceContext | undefined): Record<string, string> {
  if (trace === undefined) return {};
  const { traceparent, tracestate } = trace;
  return { traceparent, ...(tracestate !== undefined && tracestate !== '' && { tracestate }) };
}
