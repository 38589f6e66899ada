import { type Attributes, type Context, SpanKind, type Tracer } from '@opentelemetry/api';
import type { AgentEvent } from '@qwen/agent';
import type { AgentError } from '@qwen/protocol';
import {
  CONVERSATION_ID,
  ERROR_TYPE,
  FINISH_REASONS,
  OPERATION,
  RESPONSE_ID,
  RESPONSE_MODEL,
  usageAttributes,
} from './attributes.js';
import { LiveSpan } from './live-span.js';

export interface ModelSpansOptions {
  readonly tracer: Tracer;
  readonly sessionId: string;
  readonly provider: Attributes;
  readonly nowMs: () => number;
  /** Parent of a subagent's model calls; null for the main agent. */
  readonly placeOf: (parentCallId: string | null) => Context;
}

/** The main agent, or the task call a subagent works for. */
type Agent = string | null;
type Event<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>;

/**
 * A model call is measured from the start of the turn or the last result, because its first event is its first text.
 * Retries belong to one call.
 */
export class ModelSpans {
  readonly #options: ModelSpansOptions;
  readonly #readyAtMs = new Map<Agent, number>();
  readonly #open = new Map<Agent, LiveSpan>();
  readonly #broken = new Set<Agent>();
  /** As the turn counts them. */
  #count = 0;

  constructor(options: ModelSpansOptions) {
    this.#options = options;
  }

  /** The next call may start now. */
  ready(agent: Agent): void {
    this.#readyAtMs.set(agent, this.#options.nowMs());
  }

  start({ parentToolUseId: agent, messageId, model }: Event<'message_start'>): void {
    const span = this.#ensure(agent);
    span.rename(`chat ${model}`);
    span.set({ [RESPONSE_MODEL]: model, [RESPONSE_ID]: messageId });
    span.note('qwen.model.first_word');
  }

  end({ parentToolUseId: agent, stopReason, usage }: Event<'message_end'>): void {
    const span = this.#open.get(agent);
    span?.set({ [FINISH_REASONS]: [stopReason], ...usageAttributes(usage) });
    if (stopReason === 'error') this.#broken.add(agent);
    else this.#close(agent);
  }

  /** Another attempt of the same call. */
  retry({ parentToolUseId: agent, attempt, delayMs, error }: Event<'retry'>): void {
    this.#ensure(agent).note('qwen.model.retry', {
      [ERROR_TYPE]: error.code,
      'qwen.model.attempt': attempt,
      'qwen.model.delay_ms': delayMs,
    });
  }

  fallBack({ parentToolUseId: agent, from, error }: Event<'model_fallback'>): void {
    const span = this.#ensure(agent);
    span.rename(`chat ${from}`);
    span.fail(error.code);
    this.#close(agent);
  }

  /** The turn failed. A call without text is only known from this. */
  fail(error: AgentError, callsOfTurn: number): void {
    const isUnanswered = this.#open.size === 0 && callsOfTurn > this.#count;
    const span = isUnanswered ? this.#ensure(null) : this.#open.get(null);
    this.#broken.delete(null);
    span?.fail(error.code);
  }

  /** The agent stops. */
  interrupt(agent: Agent): void {
    if (this.#broken.delete(agent)) this.#open.get(agent)?.fail('provider_error');
    this.#close(agent);
    this.#readyAtMs.delete(agent);
  }

  interruptAll(): void {
    for (const agent of this.#open.keys()) this.interrupt(agent);
  }

  #ensure(agent: Agent): LiveSpan {
    const known = this.#open.get(agent);
    if (known !== undefined) return known;
    const { tracer, sessionId, provider, nowMs, placeOf } = this.#options;
    const parent = placeOf(agent);
    const attributes = { [OPERATION]: 'chat', [CONVERSATION_ID]: sessionId, ...provider };
    const startTime = this.#readyAtMs.get(agent) ?? nowMs();
    const span = new LiveSpan(
      tracer.startSpan('chat', { kind: SpanKind.CLIENT, startTime, attributes }, parent),
      parent,
    );
    this.#count += 1;
    this.#open.set(agent, span);
    return span;
  }

  #close(agent: Agent): void {
    this.#open.get(agent)?.end();
    this.#open.delete(agent);
    this.ready(agent);
  }
}
