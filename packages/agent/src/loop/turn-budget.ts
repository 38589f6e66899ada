import type { Budget } from '@qwen/protocol';
import type { BudgetLimit } from '../events.js';
import type { TurnControl } from './turn-control.js';
import type { TurnTally } from './turn-tally.js';

export interface TurnBudgetOptions {
  readonly budget: Budget;
  readonly tally: TurnTally;
  readonly control: TurnControl;
  readonly sessionTokens?: { readonly limit: number; readonly spent: number };
  readonly nowMs: () => number;
}

const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * The budget of a prompt and its subagents. Time stops everything; further tool calls do not run; turns and tokens
 * are checked before each model call. The creator disposes it.
 */
export class TurnBudget implements Disposable {
  readonly #options: TurnBudgetOptions;
  readonly #startedAtMs: number;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  #refusedCall = false;

  constructor(options: TurnBudgetOptions) {
    this.#options = options;
    this.#startedAtMs = options.nowMs();
    const { wallMs } = options.budget;
    if (wallMs === undefined || wallMs > LONGEST_TIMER_MS) return;
    const stop = () =>
      options.control.interrupt({ by: 'budget', reason: `The prompt exceeded its limit of ${wallMs} ms.` });
    this.#timer = setTimeout(stop, wallMs);
  }

  get isSet(): boolean {
    return Object.keys(this.remaining()).length > 0;
  }

  /** Prevents the next model call. */
  reached(): BudgetLimit | undefined {
    const { tally, sessionTokens } = this.#options;
    const { wallMs, turns, tokens, usd } = this.remaining();
    if (this.#refusedCall) return 'toolCalls';
    if (wallMs === 0) return 'wallMs';
    if (turns === 0) return 'turns';
    if (tokens === 0) return 'tokens';
    if (usd === 0) return 'usd';
    if (sessionTokens === undefined) return undefined;
    return sessionTokens.spent + tokensOf(tally) >= sessionTokens.limit ? 'sessionTokens' : undefined;
  }

  /** A refused call ends the turn before the next model call. */
  allowsToolCall(): boolean {
    const isAllowed = this.remaining().toolCalls !== 0;
    this.#refusedCall ||= !isAllowed;
    return isAllowed;
  }

  /** Never below 0; unlimited members are missing. */
  remaining(): Budget {
    const { budget, tally, nowMs } = this.#options;
    const left = (limit: number, spent: number) => Math.max(0, limit - spent);
    return {
      ...(budget.wallMs !== undefined && { wallMs: Math.round(left(budget.wallMs, nowMs() - this.#startedAtMs)) }),
      ...(budget.turns !== undefined && { turns: left(budget.turns, tally.allModelCalls) }),
      ...(budget.toolCalls !== undefined && { toolCalls: left(budget.toolCalls, tally.toolCalls) }),
      ...(budget.tokens !== undefined && { tokens: left(budget.tokens, tokensOf(tally)) }),
      ...(budget.usd !== undefined && { usd: this.#leftUsd(budget.usd) }),
    };
  }

  get limitsCost(): boolean {
    return this.#options.budget.usd !== undefined;
  }

  /** A cost that became unknown leaves nothing. */
  #leftUsd(limit: number): number {
    const { tally } = this.#options;
    const { cost_usd: cost = tokensOf(tally) === 0 ? 0 : limit } = tally.estimatedUsage;
    return Math.max(0, limit - cost);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}

function tokensOf({ estimatedUsage: usage }: TurnTally): number {
  return usage.total_tokens ?? usage.input_tokens + usage.output_tokens;
}
