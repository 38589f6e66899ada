import { type Attributes, type Context, type Meter, ROOT_CONTEXT } from '@opentelemetry/api';
import type { SpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { settlesWithin } from '@qwen/agent';
import type { ControlTracer, TraceContext } from '@qwen/protocol';
import { AgentMetrics } from './agent-metrics.js';
import { ControlSpans } from './control-spans.js';
import { SessionSpans } from './session-spans.js';
import type { SessionObserver, Telemetry } from './telemetry.js';
import { toCarrier, toContext } from './trace-carrier.js';

export interface ProcessTelemetryOptions {
  readonly provider: TracerProvider;
  readonly meter: Meter;
  readonly sending: Pick<SpanProcessor, 'shutdown'>;
  readonly version: string;
  /** The parent span, from the environment. */
  readonly parent: TraceContext | undefined;
  readonly modelProvider: Attributes;
  /** Whether spans contain prompts, answers and the inputs and results of tools. */
  readonly includesContent: boolean;
}

/** Time to send the remaining spans at exit. */
const CLOSE_LIMIT_MS = 900;
/** More than a session queues: a refused prompt is never taken. */
const MAX_EXPECTED = 256;

export class ProcessTelemetry implements Telemetry {
  readonly control: ControlTracer;
  readonly #options: ProcessTelemetryOptions;
  readonly #parent: Context;
  readonly #metrics: AgentMetrics;
  readonly #sessions = new Set<SessionSpans>();
  readonly #expected = new Map<string, Context>();
  #closed: Promise<void> | undefined;

  constructor(options: ProcessTelemetryOptions) {
    this.#options = options;
    this.#metrics = new AgentMetrics(options.meter);
    this.#parent = toContext(options.parent) ?? ROOT_CONTEXT;
    this.control = new ControlSpans({ tracer: this.#tracer, placeOf: (callId) => this.#placeOf(callId) });
  }

  follow(sessionId: string, model: string): SessionObserver {
    const { version, includesContent } = this.#options;
    const session = new SessionSpans({
      tracer: this.#tracer,
      metrics: this.#metrics,
      sessionId,
      model,
      version,
      includesContent,
      parent: this.#parent,
      provider: this.#options.modelProvider,
      nowMs: () => performance.timeOrigin + performance.now(),
      takeParent: (turnId) => this.#take(turnId),
    });
    this.#sessions.add(session);
    return {
      expect: (turnId, content) => session.expect(turnId, content),
      observe: (event) => session.observe(event),
      end: () => {
        session.end();
        this.#sessions.delete(session);
      },
    };
  }

  expect(turnId: string, trace: TraceContext): void {
    const context = toContext(trace);
    if (context === undefined) return;
    const [oldest] = this.#expected.keys();
    if (oldest !== undefined && this.#expected.size >= MAX_EXPECTED) this.#expected.delete(oldest);
    this.#expected.set(turnId, context);
  }

  traceOf(callId: string): TraceContext | undefined {
    return toCarrier(this.#placeOf(callId));
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  get #tracer(): ReturnType<TracerProvider['getTracer']> {
    return this.#options.provider.getTracer('qwen', this.#options.version);
  }

  #take(turnId: string): Context | undefined {
    const context = this.#expected.get(turnId);
    this.#expected.delete(turnId);
    return context;
  }

  /** The call, else the last turn, else the parent of the process. */
  #placeOf(callId: string | undefined): Context {
    const sessions = [...this.#sessions].toReversed();
    const calls = callId === undefined ? [] : sessions.map((session) => session.ofCall(callId));
    return (
      [...calls, ...sessions.map(({ current }) => current)].find((context) => context !== undefined) ?? this.#parent
    );
  }

  async #close(): Promise<void> {
    for (const session of this.#sessions) session.end();
    this.#sessions.clear();
    // The exporter reports failures.
    await settlesWithin(this.#options.sending.shutdown(), CLOSE_LIMIT_MS);
  }
}
