import type { AgentError, ControlTracer, TraceContext } from '@qwen/protocol';

export interface TraceEnding {
  readonly outcome: 'finished' | 'closed' | 'aborted' | 'failed';
  readonly error?: AgentError | undefined;
  readonly sessionId?: string | undefined;
  /** Subtype of the last result. */
  readonly lastResult?: string | undefined;
}

/**
 * The span of one query, in an app that traces. Nothing here throws. Types of OpenTelemetry stay out of this file,
 * because an app without it must compile.
 */
export interface QueryTrace {
  /** Traces control requests of both sides; callbacks of the app run inside their spans. */
  readonly control: ControlTracer;
  /** Starts the span, as a child of the active one. Only the first call counts. */
  begin(): void;
  /** The context for a CLI that starts now. */
  forChild(): TraceContext | undefined;
  /** The context for a prompt that is sent now; undefined if it equals that of the CLI. */
  forPrompt(): TraceContext | undefined;
  /** Only the first call counts. */
  end(ending: TraceEnding): void;
}

/** Environment variables that pass the context to a child process. Empty ones replace those inherited. */
export function traceVariables(trace: TraceContext | undefined): Record<string, string> {
  return trace === undefined ? {} : { TRACEPARENT: trace.traceparent, TRACESTATE: trace.tracestate ?? '' };
}

/** Request headers of W3C Trace Context. */
export function traceHeaders(trace: TraceContext | undefined): Record<string, string> {
  if (trace === undefined) return {};
  const { traceparent, tracestate } = trace;
  return { traceparent, ...(tracestate !== undefined && tracestate !== '' && { tracestate }) };
}
