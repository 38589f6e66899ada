import { type Attributes, type Context, type Link, SpanKind, type Tracer, trace } from '@opentelemetry/api';
import type { AgentEvent } from '@qwen/agent';
import type { AgentMetrics } from './agent-metrics.js';
import { AGENT_NAME, CONVERSATION_ID } from './attributes.js';
import { LiveSpan } from './live-span.js';
import type { SessionObserver } from './telemetry.js';
import { TurnSpans } from './turn-spans.js';

export interface SessionSpansOptions {
  readonly tracer: Tracer;
  readonly sessionId: string;
  readonly parent: Context;
  readonly provider: Attributes;
  readonly metrics: AgentMetrics;
  readonly model: string;
  readonly version: string;
  readonly includesContent: boolean;
  /** Milliseconds since the epoch; one clock keeps the spans of a process in order. */
  readonly nowMs: () => number;
  /** Parent of the turn; undefined: the session. */
  readonly takeParent: (turnId: string) => Context | undefined;
}

export class SessionSpans implements SessionObserver {
  readonly #options: SessionSpansOptions;
  readonly #beganAtMs: number;
  readonly #prompts = new Map<string, unknown>();
  #model: string;
  #session: LiveSpan | undefined;
  #turn: TurnSpans | undefined;

  constructor(options: SessionSpansOptions) {
    this.#options = options;
    this.#beganAtMs = options.nowMs();
    this.#model = options.model;
  }

  get current(): Context | undefined {
    return this.#turn?.context;
  }

  ofCall(callId: string): Context | undefined {
    return this.#turn?.ofCall(callId);
  }

  expect(turnId: string, content: unknown): void {
    if (this.#options.includesContent) this.#prompts.set(turnId, content);
  }

  observe(event: AgentEvent): void {
    if (event.type === 'model_changed') this.#model = event.model;
    if (event.type === 'turn_start') {
      this.#turn?.end();
      this.#turn = this.#startTurn(event.turnId);
      return;
    }
    this.#turn?.observe(event);
    if (event.type === 'turn_end') this.#turn = undefined;
  }

  end(): void {
    this.#turn?.end();
    this.#turn = undefined;
    this.#session?.end();
  }

  #startTurn(turnId: string): TurnSpans {
    const prompt = this.#prompts.get(turnId);
    this.#prompts.delete(turnId);
    const { takeParent } = this.#options;
    this.#session ??= this.#startSession();
    const { context: own } = this.#session;
    const other = takeParent(turnId);
    const ownSpan = trace.getSpanContext(own);
    const links: Link[] = other === undefined || ownSpan === undefined ? [] : [{ context: ownSpan }];
    const model = (): string => this.#model;
    return new TurnSpans({ ...this.#options, model, turnId, prompt, parent: other ?? own, links });
  }

  #startSession(): LiveSpan {
    const { tracer, sessionId, parent } = this.#options;
    const attributes = { [CONVERSATION_ID]: sessionId, [AGENT_NAME]: 'qwen' };
    const options = { kind: SpanKind.SERVER, startTime: this.#beganAtMs, attributes };
    return new LiveSpan(tracer.startSpan('qwen.session', options, parent), parent);
  }
}
