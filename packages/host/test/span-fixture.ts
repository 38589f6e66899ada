import { createNoopMeter, SpanStatusCode } from '@opentelemetry/api';
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { TraceContext } from '@qwen/protocol';
import { ProcessTelemetry } from '../src/telemetry/process-telemetry.js';

/** A telemetry whose spans stay here, for tests. */
export function createSpanFixture(parent?: TraceContext, { includesContent = false } = {}) {
  const exporter = new InMemorySpanExporter();
  const sending = new SimpleSpanProcessor({ exporter });
  const telemetry = new ProcessTelemetry({
    provider: new TracerProvider({ spanProcessors: [sending] }),
    // Keeps its state.
    sending: { shutdown: () => sending.forceFlush() },
    meter: createNoopMeter(),
    includesContent,
    version: '1.2.3',
    parent,
    modelProvider: { 'gen_ai.provider.name': 'openai', 'server.address': '127.0.0.1:80' },
  });
  const spans = (): ReadableSpan[] => exporter.getFinishedSpans();
  const find = (name: string): ReadableSpan => {
    const names = spans().map((span) => span.name);
    const found = spans().find((span) => span.name === name);
    if (found === undefined) throw new Error(`There is no span ${name} among ${names.join(', ')}.`);
    return found;
  };
  const parentOf = (name: string): string | undefined => {
    const id = find(name).parentSpanContext?.spanId;
    return spans().find((span) => span.spanContext().spanId === id)?.name ?? id;
  };
  const failureOf = (name: string): unknown => {
    const { status, attributes } = find(name);
    return status.code === SpanStatusCode.ERROR ? [status.message, attributes['error.type']] : undefined;
  };
  return { telemetry, spans, find, parentOf, failureOf };
}
