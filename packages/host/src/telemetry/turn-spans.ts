import { type Attributes, type Context, type Link, SpanKind, type Tracer } from '@opentelemetry/api';
import type { AgentEvent } from '@qwen/agent';
import type { AgentMetrics } from './agent-metrics.js';
import {
  AGENT_NAME,
  AGENT_VERSION,
  COMPACTED,
  CONVERSATION_ID,
  ERROR_TYPE,
  OPERATION,
  PROVIDER,
  REQUEST_MODEL,
  TURN_ID,
  TURN_MODEL_CALLS,
  TURN_OUTCOME,
  usageAttributes,
} from './attributes.js';
import { CallSpans } from './call-spans.js';
import { answerContent, promptContent } from './content.js';
import { LiveSpan } from './live-span.js';
import { ModelSpans } from './model-spans.js';

export interface TurnSpansOptions {
  readonly tracer: Tracer;
  readonly sessionId: string;
  readonly turnId: string;
  readonly parent: Context;
  readonly links: Link[];
  readonly provider: Attributes;
  readonly metrics: AgentMetrics;
  readonly model: () => string;
  readonly version: string;
  readonly includesContent: boolean;
  /** The content of the prompt, if content is included. */
  readonly prompt: unknown;
  readonly nowMs: () => number;
}

type Event<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>;

/** A subagent's calls are inside the call that started it. */
export class TurnSpans {
  readonly #turn: LiveSpan;
  readonly #includesContent: boolean;
  readonly #models: ModelSpans;
  readonly #calls: CallSpans;

  constructor(options: TurnSpansOptions) {
    const { tracer, turnId, parent, links, provider, nowMs, metrics, model, version } = options;
    this.#includesContent = options.includesContent;
    const shared = {
      [OPERATION]: 'invoke_agent',
      [AGENT_NAME]: 'qwen',
      [PROVIDER]: provider[PROVIDER],
      [REQUEST_MODEL]: model(),
    };
    const attributes = {
      ...shared,
      [AGENT_VERSION]: version,
      [CONVERSATION_ID]: options.sessionId,
      [TURN_ID]: turnId,
      ...(options.prompt !== undefined && promptContent(options.prompt)),
    };
    const span = tracer.startSpan('invoke_agent qwen', { kind: SpanKind.INTERNAL, attributes, links }, parent);
    const startedAtMs = nowMs();
    this.#turn = new LiveSpan(span, parent, (error) => {
      metrics.recordTurn({ seconds: (nowMs() - startedAtMs) / 1_000, attributes: shared, error });
    });
    const placeOf = (callId: string | null): Context => this.#placeOf(callId);
    this.#calls = new CallSpans({ ...options, placeOf });
    this.#models = new ModelSpans({ ...options, placeOf });
    this.#models.ready(null);
  }

  get context(): Context {
    return this.#turn.context;
  }

  ofCall(callId: string): Context | undefined {
    return this.#calls.contextOf(callId);
  }

  observe(event: AgentEvent): void {
    switch (event.type) {
      case 'message_start':
        return this.#models.start(event);
      case 'message_end':
        return this.#models.end(event);
      case 'retry':
        return this.#models.retry(event);
      case 'model_fallback':
        return this.#models.fallBack(event);
      case 'tool_pending':
        return this.#calls.start(event);
      case 'tool_asking':
        return this.#calls.note(event.callId, 'qwen.tool.asking');
      case 'tool_start':
        this.#calls.note(event.callId, 'qwen.tool.running');
        // A subagent may start in it.
        return this.#models.ready(event.callId);
      case 'tool_end':
        this.#models.interrupt(event.outcome.callId);
        this.#calls.end(event.outcome);
        return this.#models.ready(event.parentToolUseId);
      case 'compacted':
        return this.#noteCompaction(event);
      case 'notice':
        return this.#turn.note('qwen.notice', { 'qwen.notice.code': event.code });
      case 'turn_end':
        return this.#conclude(event);
      default:
        return undefined;
    }
  }

  /** Ends everything open, whatever the outcome. */
  end(): void {
    this.#models.interruptAll();
    this.#calls.endAll();
    this.#turn.end();
  }

  #placeOf(callId: string | null): Context {
    return (callId === null ? undefined : this.#calls.contextOf(callId)) ?? this.#turn.context;
  }

  #noteCompaction({ trigger, tokensBefore, tokensAfter }: Event<'compacted'>): void {
    this.#turn.set({ [COMPACTED]: true });
    this.#turn.note('qwen.compacted', {
      'qwen.compaction.trigger': trigger,
      'qwen.compaction.tokens_before': tokensBefore,
      'qwen.compaction.tokens_after': tokensAfter,
    });
  }

  #conclude({ outcome, modelCalls, usage }: Event<'turn_end'>): void {
    if (outcome.type === 'error') this.#models.fail(outcome.error, modelCalls);
    this.#turn.set({
      [TURN_OUTCOME]: outcome.type,
      [TURN_MODEL_CALLS]: modelCalls,
      ...usageAttributes(usage),
      ...(this.#includesContent &&
        outcome.type === 'success' &&
        answerContent([{ type: 'text', text: outcome.text }], 'end_turn')),
      ...(outcome.type === 'interrupted' && { 'qwen.turn.interrupted_by': outcome.by }),
      ...(outcome.type === 'budget' && { 'qwen.turn.limit': outcome.limit }),
      // A configured limit is not an error, but no answer was produced.
      ...((outcome.type === 'budget' || outcome.type === 'max_turns') && { [ERROR_TYPE]: outcome.type }),
    });
    if (outcome.type === 'error') this.#turn.fail(outcome.error.code);
    this.end();
  }
}
