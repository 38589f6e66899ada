import type { AgentEvent } from '@qwen/agent';
import { toVerdict } from '@qwen/host/styled-output/turn-verdict.js';
import { addUsage, defined, type Usage } from '@qwen/protocol';
import type { LineError, TurnSummary } from '@qwen/protocol/openai';
import { toCompletionUsage } from './openai-fields.js';
import { toLineError } from './process-lines.js';

type TurnEnd = Extract<AgentEvent, { type: 'turn_end' }>;

export class TurnTally {
  #sessionUsage: Usage;
  #toolCalls = 0;

  constructor(earlierUsage: Usage) {
    this.#sessionUsage = earlierUsage;
  }

  countToolCall(): void {
    this.#toolCalls += 1;
  }

  /** Resets the tally for the next turn. */
  summarize(end: TurnEnd): TurnSummary {
    const { is_error: isError, terminal_reason: reason, structured_output: structured } = toVerdict(end);
    this.#sessionUsage = addUsage(this.#sessionUsage, end.usage);
    const toolCalls = this.#toolCalls;
    this.#toolCalls = 0;
    return {
      num_turns: end.modelCalls,
      duration_ms: Math.round(end.durationMs),
      duration_api_ms: Math.round(end.durationApiMs),
      tool_calls: toolCalls,
      permission_denials: [...end.permissionDenials],
      is_error: isError,
      ...(reason !== undefined && { terminal_reason: reason }),
      usage: toCompletionUsage(end.usage),
      session_usage: toCompletionUsage(this.#sessionUsage),
      ...defined({ total_cost_usd: end.usage.cost_usd, model_usage: end.modelUsage, structured_output: structured }),
    };
  }
}

export function errorOfTurn(end: TurnEnd): LineError | undefined {
  const { is_error: isError, error } = toVerdict(end);
  if (!isError || error === undefined) return undefined;
  const { outcome } = end;
  if (outcome.type === 'error') return toLineError(outcome.error);
  return { code: error.code ?? 'internal', message: error.message, retryable: false };
}
