import type { Context, Span, SpanKind } from '@opentelemetry/api';
import {
  type AgentError,
  type AskedSpan,
  type ControlTracer,
  followRun,
  type ServedRequest,
  type TraceContext,
} from '@qwen/protocol';
import { findOpenTelemetry, type OpenTelemetry } from './find-open-telemetry.js';
import type { QueryTrace, TraceEnding } from './query-trace.js';
import { toCarrier, withRemoteSpan } from './span-context.js';

/** The trace of a query that is about to be made; undefined in an app that does not trace. */
export function openQueryTrace(name: 'qwen.query' | 'qwen.session'): QueryTrace | undefined {
  const api = findOpenTelemetry();
  return api && new OpenQueryTrace(api, name);
}

class OpenQueryTrace implements QueryTrace {
  readonly control: ControlTracer;
  readonly #api: OpenTelemetry;
  readonly #name: string;
  /** What was active in the app when the query was made, then when it got its prompt. */
  #outside: Context;
  #span: Span | undefined;
  /** With the span of the query, once it has one. */
  #inside: Context | undefined;
  /** What the CLI knows to be its parent. */
  #told: string | undefined;
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

  tell(): TraceContext | undefined {
    const trace = toCarrier(this.#api, this.#inside ?? this.#outside);
    this.#told = trace?.traceparent;
    return trace;
  }

  ofPrompt(): TraceContext | undefined {
    const trace = toCarrier(this.#api, this.#place());
    return trace?.traceparent === this.#told ? undefined : trace;
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
    const place = this.#place();
    const span = this.#start(subtype, this.#api.SpanKind.CLIENT, place);
    return {
      context: toCarrier(this.#api, this.#api.trace.setSpan(place, span)),
      end: (error) => this.#finish(span, error),
    };
  }

  #serve<Result>({ subtype, trace, signal }: ServedRequest, run: () => Result): Result {
    const own = this.#inside ?? this.#outside;
    const place = withRemoteSpan(this.#api, own, trace) ?? own;
    const span = this.#start(subtype, this.#api.SpanKind.SERVER, place);
    const { context, trace: spans } = this.#api;
    return context.with(spans.setSpan(place, span), () =>
      followRun(run, { signal, end: (error) => this.#finish(span, error) }),
    );
  }

  #start(subtype: string, kind: SpanKind, place: Context): Span {
    const attributes = { 'qwen.control.subtype': subtype };
    return this.#tracer.startSpan(`control ${subtype}`, { kind, attributes }, place);
  }

  /** What the app does now: inside of the query, unless a span of its own is active that was not when the query began. */
  #place(): Context {
    const { context, trace } = this.#api;
    const active = context.active();
    const span = trace.getSpan(active);
    const isOfApp = span !== undefined && span !== trace.getSpan(this.#outside);
    return isOfApp ? active : (this.#inside ?? active);
  }

  #finish(span: Span | undefined, error: AgentError | undefined): void {
    if (error !== undefined) {
      // The code alone: a message may quote what was said.
      span?.setAttribute('error.type', error.code);
      span?.setStatus({ code: this.#api.SpanStatusCode.ERROR, message: error.code });
    }
    span?.end();
  }
}
