import { type Attributes, type Context, type Link, SpanKind, type Tracer, trace } from '@opentelemetry/api';
import type { AgentEvent } from '@qwen/agent';
import { AGENT_NAME, CONVERSATION_ID } from './attributes.js';
import { LiveSpan } from './live-span.js';
import type { SessionObserver } from './telemetry.js';
import { TurnSpans } from './turn-spans.js';

export interface SessionSpansOptions {
  readonly tracer: Tracer;
  readonly sessionId: string;
  /** What the session belongs to. */
  readonly parent: Context;
  /** What each model call says of the provider. */
  readonly provider: Attributes;
  /** Milliseconds since 1970; only these are read, so that spans of one process are in order. */
  readonly nowMs: () => number;
  /** What the turn of this id belongs to; undefined: its session. */
  readonly takeParent: (turnId: string) => Context | undefined;
}

/** Makes spans of the events of one session: itself, and in it one turn after the other. */
export class SessionSpans implements SessionObserver {
  readonly #options: SessionSpansOptions;
  readonly #beganAtMs: number;
  #session: LiveSpan | undefined;
  #turn: TurnSpans | undefined;

  constructor(options: SessionSpansOptions) {
    this.#options = options;
    this.#beganAtMs = options.nowMs();
  }

  /** Where something that has no better place belongs: the turn that runs. */
  get current(): Context | undefined {
    return this.#turn?.context;
  }

  /** Where something about this call belongs, while the call is open. */
  ofCall(callId: string): Context | undefined {
    return this.#turn?.ofCall(callId);
  }

  observe(event: AgentEvent): void {
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
    const { tracer, sessionId, provider, nowMs, takeParent } = this.#options;
    this.#session ??= this.#startSession();
    const { context: own } = this.#session;
    const other = takeParent(turnId);
    const ownSpan = trace.getSpanContext(own);
    const links: Link[] = other === undefined || ownSpan === undefined ? [] : [{ context: ownSpan }];
    return new TurnSpans({ tracer, sessionId, provider, nowMs, turnId, parent: other ?? own, links });
  }

  /** Only when something happens in it: a program that is asked what it can do has no session. */
  #startSession(): LiveSpan {
    const { tracer, sessionId, parent } = this.#options;
    const attributes = { [CONVERSATION_ID]: sessionId, [AGENT_NAME]: 'qwen' };
    const options = { kind: SpanKind.SERVER, startTime: this.#beganAtMs, attributes };
    return new LiveSpan(tracer.startSpan('qwen.session', options, parent), parent);
  }
}
