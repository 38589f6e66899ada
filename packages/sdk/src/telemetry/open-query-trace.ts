import { createRequire } from 'node:module';
import type * as openTelemetry from '@opentelemetry/api';
import type { Context, Span, SpanContext, SpanKind } from '@opentelemetry/api';
import {
  type AgentError,
  type AskedSpan,
  type ControlTracer,
  followRun,
  type ServedRequest,
  type TraceContext,
} from '@qwen/protocol';
import type { QueryTrace, TraceEnding } from './query-trace.js';

type OpenTelemetry = typeof openTelemetry;

/** Part of the API's contract. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

export function openQueryTrace(name: 'qwen.query' | 'qwen.session'): QueryTrace | undefined {
  const api = findOpenTelemetry();
  return api && new OpenQueryTrace(api, name);
}

/** Loads the API only if the app has registered a tracer provider. */
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

class OpenQueryTrace implements QueryTrace {
  readonly control: ControlTracer;
  readonly #api: OpenTelemetry;
  readonly #name: string;
  /** The app's context at creation, then at the prompt. */
  #outside: Context;
  #span: Span | undefined;
  #inside: Context | undefined;
  #sentParent: string | undefined;
  #isOver = false;

  constructor(api: OpenTelemetry, name: string) {
    this.#api = api;
    this.#name = name;
    this.#outside = api.context.active();
    this.control = {
      ask: ({ subtype }) => this.#ask(subtype),
      serve: (request, run) => this.#serve(request, run),
    };
  }

  begin(): void {
    if (this.#inside !== undefined) return;
    const { context, trace, SpanKind } = this.#api;
    this.#outside = context.active();
    this.#span = this.#tracer.startSpan(this.#name, { kind: SpanKind.CLIENT }, this.#outside);
    this.#inside = trace.setSpan(this.#outside, this.#span);
  }

  forChild(): TraceContext | undefined {
    const trace = toTraceContext(this.#api, this.#inside ?? this.#outside);
    this.#sentParent = trace?.traceparent;
    return trace;
  }

  forPrompt(): TraceContext | undefined {
    const trace = toTraceContext(this.#api, this.#current());
    return trace?.traceparent === this.#sentParent ? undefined : trace;
  }

  end({ outcome, error, sessionId, lastResult }: TraceEnding): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#span?.setAttributes({
      'qwen.query.outcome': outcome,
      ...(sessionId !== undefined && { 'gen_ai.conversation.id': sessionId }),
      ...(lastResult !== undefined && { 'qwen.result.subtype': lastResult }),
    });
    this.#finish(this.#span, error);
  }

  get #tracer(): ReturnType<OpenTelemetry['trace']['getTracer']> {
    return this.#api.trace.getTracer('@qwen/sdk');
  }

  #ask(subtype: string): AskedSpan {
    const parent = this.#current();
    const span = this.#start(subtype, this.#api.SpanKind.CLIENT, parent);
    return {
      context: toTraceContext(this.#api, this.#api.trace.setSpan(parent, span)),
      end: (error) => this.#finish(span, error),
    };
  }

  #serve<Result>({ subtype, trace, signal }: ServedRequest, run: () => Result): Result {
    const own = this.#inside ?? this.#outside;
    const parent = withRemoteSpan(this.#api, own, trace) ?? own;
    const span = this.#start(subtype, this.#api.SpanKind.SERVER, parent);
    const { context, trace: spans } = this.#api;
    return context.with(spans.setSpan(parent, span), () =>
      followRun(run, { signal, end: (error) => this.#finish(span, error) }),
    );
  }

  #start(subtype: string, kind: SpanKind, parent: Context): Span {
    const attributes = { 'qwen.control.subtype': subtype };
    return this.#tracer.startSpan(`control ${subtype}`, { kind, attributes }, parent);
  }

  /** That of the app if it has started a span since the query began. */
  #current(): Context {
    const { context, trace } = this.#api;
    const active = context.active();
    const span = trace.getSpan(active);
    const isOfApp = span !== undefined && span !== trace.getSpan(this.#outside);
    return isOfApp ? active : (this.#inside ?? active);
  }

  #finish(span: Span | undefined, error: AgentError | undefined): void {
    if (error !== undefined) {
      // Only the code: a message may quote a prompt.
      span?.setAttribute('error.type', error.code);
      span?.setStatus({ code: this.#api.SpanStatusCode.ERROR, message: error.code });
    }
    span?.end();
  }
}

const TRACEPARENT = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/;

function toTraceContext(api: OpenTelemetry, context: Context): TraceContext | undefined {
  const span = api.trace.getSpanContext(context);
  if (span === undefined || !api.isSpanContextValid(span)) return undefined;
  const flags = span.traceFlags.toString(16).padStart(2, '0');
  const tracestate = span.traceState?.serialize() ?? '';
  return { traceparent: `00-${span.traceId}-${span.spanId}-${flags}`, ...(tracestate !== '' && { tracestate }) };
}

function withRemoteSpan(api: OpenTelemetry, context: Context, remote: TraceContext | undefined): Context | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(remote?.traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  const { tracestate } = remote ?? {};
  const span: SpanContext = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
    ...(tracestate !== undefined && { traceState: api.createTraceState(tracestate) }),
  };
  return api.isSpanContextValid(span) ? api.trace.setSpanContext(context, span) : undefined;
}
