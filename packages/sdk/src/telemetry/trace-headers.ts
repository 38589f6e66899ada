import type { TraceContext } from '@qwen/protocol';

/** The variables of a child process, by which it is told of its parent. */
export function traceVariables(trace: TraceContext | undefined): Record<string, string> {
  if (trace === undefined) return {};
  // One that was inherited belongs to another parent.
  return { TRACEPARENT: trace.traceparent, TRACESTATE: trace.tracestate ?? '' };
}

/** The headers of a request, as W3C Trace Context has them. */
export function traceHeaders(trace: TraceContext | undefined): Record<string, string> {
  if (trace === undefined) return {};
  const { traceparent, tracestate } = trace;
  return { traceparent, ...(tracestate !== undefined && tracestate !== '' && { tracestate }) };
}
