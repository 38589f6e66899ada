import type { Context, SpanContext } from '@opentelemetry/api';
import type { TraceContext } from '@qwen/protocol';
import type { OpenTelemetry } from './find-open-telemetry.js';

const TRACEPARENT = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/;

/** What another process must be told to make children of the span of this context; undefined where there is none. */
export function toCarrier(api: OpenTelemetry, context: Context): TraceContext | undefined {
  const span = api.trace.getSpanContext(context);
  if (span === undefined || !api.isSpanContextValid(span)) return undefined;
  const flags = span.traceFlags.toString(16).padStart(2, '0');
  const tracestate = span.traceState?.serialize() ?? '';
  return { traceparent: `00-${span.traceId}-${span.spanId}-${flags}`, ...(tracestate !== '' && { tracestate }) };
}

/** This context, with the span of another process in it; undefined for what names none. */
export function withRemoteSpan(
  api: OpenTelemetry,
  context: Context,
  carrier: TraceContext | undefined,
): Context | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(carrier?.traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  const { tracestate } = carrier ?? {};
  const span: SpanContext = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
    ...(tracestate !== undefined && { traceState: api.createTraceState(tracestate) }),
  };
  return api.isSpanContextValid(span) ? api.trace.setSpanContext(context, span) : undefined;
}
