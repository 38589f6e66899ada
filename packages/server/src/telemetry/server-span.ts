import { createRequire } from 'node:module';
import type * as openTelemetry from '@opentelemetry/api';
import type { Attributes, Context, Span } from '@opentelemetry/api';
import type { TraceContext } from '@qwen/protocol';

type OpenTelemetry = typeof openTelemetry;

/** Part of the API's contract. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

export interface ServerSpanOptions {
  readonly name: string;
  readonly kind: 'SERVER' | 'INTERNAL';
  readonly attributes: Attributes;
  /** The header `traceparent` of a client. Default: the active span. */
  readonly parent?: TraceContext | undefined;
}

/** A span of the server. Nothing throws. The caller ends it. */
export class ServerSpan {
  readonly #api: OpenTelemetry;
  readonly #span: Span;
  readonly #context: Context;

  /** Undefined if the program that runs the server has no tracer provider. */
  static start(options: ServerSpanOptions): ServerSpan | undefined {
    const api = findOpenTelemetry();
    return api && new ServerSpan(api, options);
  }

  private constructor(api: OpenTelemetry, { name, kind, attributes, parent }: ServerSpanOptions) {
    this.#api = api;
    const active = api.context.active();
    const outside = parent === undefined ? active : api.propagation.extract(active, parent);
    const tracer = api.trace.getTracer('@qwen/server');
    this.#span = tracer.startSpan(name, { kind: api.SpanKind[kind], attributes }, outside);
    this.#context = api.trace.setSpan(outside, this.#span);
  }

  run<Result>(work: () => Result): Result {
    return this.#api.context.with(this.#context, work);
  }

  /** For another process. Undefined if the span is not valid. */
  get trace(): TraceContext | undefined {
    const { traceId, spanId, traceFlags, traceState } = this.#span.spanContext();
    if (!this.#api.isSpanContextValid(this.#span.spanContext())) return undefined;
    const tracestate = traceState?.serialize() ?? '';
    const traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
    return { traceparent, ...(tracestate !== '' && { tracestate }) };
  }

  /** `errorType` is a code, never a message. */
  end(attributes: Attributes, errorType?: string): void {
    this.#span.setAttributes(attributes);
    if (errorType !== undefined) {
      this.#span.setAttribute('error.type', errorType);
      this.#span.setStatus({ code: this.#api.SpanStatusCode.ERROR, message: errorType });
    }
    this.#span.end();
  }
}

/** Loads the API only if a tracer provider is registered. */
function findOpenTelemetry(): OpenTelemetry | undefined {
  const registered: unknown = Reflect.get(globalThis, REGISTERED);
  if (typeof registered !== 'object' || registered === null || !('trace' in registered)) return undefined;
  try {
    const found: OpenTelemetry = createRequire(import.meta.url)('@opentelemetry/api');
    return found;
  } catch {
    // Missing spans are no reason to fail.
    return undefined;
  }
}
