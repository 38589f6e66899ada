import { context, propagation, type Span, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';

/** What an app does that traces: it registers a provider. Undone at the end. */
export interface AppTracing extends AsyncDisposable {
  readonly spans: readonly ReadableSpan[];
  /** Runs inside of a span of the app. */
  within<Result>(name: string, run: (span: Span) => Promise<Result>): Promise<Result>;
}

export function traceApp(): AppTracing {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  provider.register();
  return {
    get spans() {
      return exporter.getFinishedSpans();
    },
    within: (name, run) =>
      trace.getTracer('app').startActiveSpan(name, async (span) => {
        try {
          return await run(span);
        } finally {
          span.end();
        }
      }),
    async [Symbol.asyncDispose]() {
      trace.disable();
      context.disable();
      propagation.disable();
      await provider.shutdown();
    },
  };
}
