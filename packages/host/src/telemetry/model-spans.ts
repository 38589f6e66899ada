import { type Attributes, type Context, SpanKind, type Tracer } from '@opentelemetry/api';
import type { AgentEvent } from '@qwen/agent';
import type { AgentError } from '@qwen/protocol';
import type { AgentMetrics } from './agent-metrics.js';
import {
  CONVERSATION_ID,
  ERROR_TYPE,
  FINISH_REASONS,
  FIRST_CHUNK,
  OPERATION,
  REQUEST_MODEL,
  REQUEST_STREAM,
  RESPONSE_ID,
  RESPONSE_MODEL,
  usageAttributes,
} from './attributes.js';
import { answerContent } from './content.js';
import { LiveSpan } from './live-span.js';

export interface ModelSpansOptions {
  readonly tracer: Tracer;
  readonly sessionId: string;
  readonly provider: Attributes;
  readonly metrics: AgentMetrics;
  /** The model of the main agent. */
  readonly model: () => string;
  readonly includesContent: boolean;
  readonly nowMs: () => number;
  /** Parent of a subagent's model calls; null for the main agent. */
  readonly placeOf: (parentCallId: string | null) => Context;
}

/** The main agent, or the task call a subagent works for. */
type Agent = string | null;

interface OpenCall {
  readonly span: LiveSpan;
  readonly startedAtMs: number;
  attributes: Attributes;
  isAnswering?: boolean;
}

type Event<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>;

/**
 * A model call is measured from the start of the turn or the last result, because its first event is its first text.
 * Retries belong to one call.
 */
export class ModelSpans {
  readonly #options: ModelSpansOptions;
  readonly #readyAtMs = new Map<Agent, number>();
  readonly #open = new Map<Agent, OpenCall>();
  readonly #broken = new Set<Agent>();
  #fallback: string | undefined;
  /** Number of calls of the turn that have a span. */
  #count = 0;

  constructor(options: ModelSpansOptions) {
    this.#options = options;
  }

  /** The next call may start now. */
  ready(agent: Agent): void {
    this.#readyAtMs.set(agent, this.#options.nowMs());
  }

  start({ parentToolUseId: agent, messageId, model }: Event<'message_start'>): void {
    const call = this.#ensure(agent);
    const { span, startedAtMs } = call;
    // The model that a subagent requests is not known here.
    if (agent !== null) span.rename(`chat ${model}`);
    call.attributes = { ...call.attributes, [RESPONSE_MODEL]: model };
    span.set({ [RESPONSE_MODEL]: model, [RESPONSE_ID]: messageId });
    span.note('qwen.model.first_word');
    if (call.isAnswering === true) return;
    call.isAnswering = true;
    const seconds = (this.#options.nowMs() - startedAtMs) / 1_000;
    span.set({ [FIRST_CHUNK]: seconds });
    this.#options.metrics.recordFirstChunk({ seconds, attributes: call.attributes });
  }

  end({ parentToolUseId: agent, stopReason, usage, content }: Event<'message_end'>): void {
    const { metrics, includesContent } = this.#options;
    const call = this.#open.get(agent);
    call?.span.set({
      [FINISH_REASONS]: [stopReason],
      ...usageAttributes(usage),
      ...(includesContent && answerContent(content, stopReason)),
    });
    if (call !== undefined) metrics.recordTokens(usage, call.attributes);
    if (stopReason === 'error') this.#broken.add(agent);
    else this.#close(agent);
  }

  /** Another attempt of the same call. */
  retry({ parentToolUseId: agent, attempt, delayMs, error }: Event<'retry'>): void {
    this.#ensure(agent).span.note('qwen.model.retry', {
      [ERROR_TYPE]: error.code,
      'qwen.model.attempt': attempt,
      'qwen.model.delay_ms': delayMs,
    });
  }

  fallBack({ parentToolUseId: agent, from, to, error }: Event<'model_fallback'>): void {
    const { span } = this.#ensure(agent);
    span.rename(`chat ${from}`);
    span.set({ [REQUEST_MODEL]: from });
    if (agent === null) this.#fallback = to;
    span.fail(error.code);
    this.#close(agent);
  }

  fail(error: AgentError, callsOfTurn: number): void {
    const isUnanswered = this.#open.size === 0 && callsOfTurn > this.#count;
    const call = isUnanswered ? this.#ensure(null) : this.#open.get(null);
    this.#broken.delete(null);
    call?.span.fail(error.code);
  }

  interrupt(agent: Agent): void {
    if (this.#broken.delete(agent)) this.#open.get(agent)?.span.fail('provider_error');
    this.#close(agent);
    this.#readyAtMs.delete(agent);
  }

  interruptAll(): void {
    for (const agent of this.#open.keys()) this.interrupt(agent);
  }

  #ensure(agent: Agent): OpenCall {
    const known = this.#open.get(agent);
    if (known !== undefined) return known;
    const { tracer, sessionId, provider, nowMs, placeOf, metrics, model } = this.#options;
    const parent = placeOf(agent);
    const requested = agent === null ? (this.#fallback ?? model()) : undefined;
    const shared = { [OPERATION]: 'chat', ...provider, ...(requested !== undefined && { [REQUEST_MODEL]: requested }) };
    const attributes = { ...shared, [CONVERSATION_ID]: sessionId, [REQUEST_STREAM]: true };
    const startedAtMs = this.#readyAtMs.get(agent) ?? nowMs();
    const name = requested === undefined ? 'chat' : `chat ${requested}`;
    const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, startTime: startedAtMs, attributes }, parent);
    const recordEnd = (error: string | undefined): void => {
      metrics.recordCall({ seconds: (nowMs() - startedAtMs) / 1_000, attributes: call.attributes, error });
    };
    const call: OpenCall = { span: new LiveSpan(span, parent, recordEnd), startedAtMs, attributes: shared };
    this.#count += 1;
    this.#open.set(agent, call);
    return call;
  }

  #close(agent: Agent): void {
    this.#open.get(agent)?.span.end();
    this.#open.delete(agent);
    this.ready(agent);
  }
}
