import type { SDKResultMessage, TraceContext } from '@qwen/protocol';
import type { ServerLogger } from '../logging/server-logger.js';
import type { ServerMetrics } from '../metrics/server-metrics.js';
import type { TurnEnd } from '../projection/turn-ending.js';
import type { TurnRecord } from '../store/session-record.js';
import { ServerSpan } from '../telemetry/server-span.js';

export interface TurnReportOptions {
  readonly turn: TurnRecord;
  readonly logger: ServerLogger | undefined;
  readonly metrics: ServerMetrics | undefined;
}

/** Logs, counts and traces one turn, without its texts. */
export class TurnReport {
  readonly #options: TurnReportOptions;
  #promptedAtMs: number | undefined;
  #result: SDKResultMessage | undefined;
  #span: ServerSpan | undefined;

  constructor(options: TurnReportOptions) {
    this.#options = options;
  }

  started(): void {
    const { turn, logger, metrics } = this.#options;
    const waitedMs = Math.max(0, Date.now() - turn.createdAt);
    const ids = {
      'gen_ai.conversation.id': turn.sessionId,
      'qwen.turn.id': turn.id,
      'qwen.request.id': turn.requestId,
    };
    this.#span = ServerSpan.start({ name: 'qwen.turn', kind: 'INTERNAL', attributes: ids });
    metrics?.activeTurns.inc();
    metrics?.queueSeconds.observe(waitedMs / 1000);
    logger?.info({ ...idsOf(turn), waited_ms: waitedMs }, 'turn started');
  }

  /** The work belongs to the span of the turn. */
  within<Result>(work: () => Result): Result {
    return this.#span === undefined ? work() : this.#span.run(work);
  }

  /** For the agent. */
  get trace(): TraceContext | undefined {
    return this.#span?.trace;
  }

  prompted(): void {
    this.#promptedAtMs = performance.now();
  }

  /** Any number of times; only the first one after the prompt counts. */
  answering(): void {
    if (this.#promptedAtMs === undefined) return;
    this.#options.metrics?.firstAnswer.observe((performance.now() - this.#promptedAtMs) / 1000);
    this.#promptedAtMs = undefined;
  }

  answered(result: SDKResultMessage): void {
    this.#result = result;
    const { metrics } = this.#options;
    if (metrics === undefined) return;
    metrics.modelSeconds.observe(result.duration_api_ms / 1000);
    for (const [name, usage] of Object.entries(result.modelUsage ?? {})) {
      const model = metrics.modelLabel(name);
      metrics.tokens.inc({ model, kind: 'input' }, usage.inputTokens);
      metrics.tokens.inc({ model, kind: 'output' }, usage.outputTokens);
      metrics.tokens.inc({ model, kind: 'cache_read' }, usage.cacheReadInputTokens);
      metrics.tokens.inc({ model, kind: 'cache_write' }, usage.cacheCreationInputTokens);
      if (usage.costUSD !== undefined) metrics.cost.inc({ model }, usage.costUSD);
    }
  }

  /** Undefined: another process has the session, or the end could not be written. */
  ended(end: TurnEnd | undefined, durationMs: number): void {
    const { turn, logger, metrics } = this.#options;
    const outcome = end?.outcome ?? 'lost';
    metrics?.activeTurns.dec();
    metrics?.turnSeconds.observe({ outcome }, durationMs / 1000);
    const { duration_api_ms: modelMs, num_turns: modelCalls, usage } = this.#result ?? {};
    const failed = end === undefined || end.outcome === 'error';
    const errorCode = end?.outcome === 'error' ? (end.error?.code ?? 'turn_failed') : undefined;
    this.#span?.end({ 'qwen.turn.outcome': outcome }, end === undefined ? outcome : errorCode);
    logger?.[failed ? 'warn' : 'info'](
      {
        ...idsOf(turn),
        outcome,
        duration_ms: Math.round(durationMs),
        ...(end?.outcome === 'interrupted' && { reason: end.reason }),
        ...(end?.outcome === 'error' && { error_code: end.error?.code }),
        ...(usage !== undefined && {
          model_ms: modelMs,
          model_calls: modelCalls,
          input_tokens: usage.input_tokens,
          output_tokens: usage.output_tokens,
        }),
      },
      'turn ended',
    );
  }
}

/** The members by which lines of the log belong together. */
export function idsOf({ id, sessionId, requestId }: Pick<TurnRecord, 'id' | 'sessionId' | 'requestId'>) {
  return { session_id: sessionId, turn_id: id, request_id: requestId };
}
