import type { ReadableSpan } from '@opentelemetry/sdk-trace-node';
import type { SentSpan } from './collector.ts';

interface Node {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
}

/** Spans of the app and of the program in one list. */
export function joinSpans(ofApp: readonly ReadableSpan[], ofProgram: readonly SentSpan[]): Node[] {
  return [
    ...ofApp.map((span) => ({
      ...span.spanContext(),
      parentSpanId: span.parentSpanContext?.spanId,
      name: `app: ${span.name}`,
    })),
    ...ofProgram.map(({ traceId, spanId, parentSpanId, name }) => ({
      traceId,
      spanId,
      parentSpanId,
      name: `cli: ${name}`,
    })),
  ];
}

/** The names from the root to each span that has this name, one line for each. */
export function pathsOf(spans: readonly Node[], name: string): string[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const pathTo = (span: Node): string => {
    const parent = span.parentSpanId === undefined ? undefined : byId.get(span.parentSpanId);
    return parent === undefined ? span.name : `${pathTo(parent)} > ${span.name}`;
  };
  return spans.filter((span) => span.name === name).map(pathTo);
}
