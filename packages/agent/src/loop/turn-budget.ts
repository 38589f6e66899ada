import type { Budget } from '@qwen/protocol';
import type { BudgetLimit } from '../events.js';
import type { TurnControl } from './turn-control.js';
import type { TurnTally } from './turn-tally.js';

export interface TurnBudgetOptions {
  /** Members that are missing have no limit. */
  readonly budget: Budget;
  /** Of the main agent, which counts what its subagents use too. */
  readonly tally: TurnTally;
  readonly control: TurnControl;
  /** Tokens of the session as a whole, and how many of them earlier turns used. */
  readonly sessionTokens?: { readonly limit: number; readonly spent: number };
  readonly nowMs: () => number;
}

/** Timers of JavaScript hold no more; a longer budget of time has no end that anybody would see. */
const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * What one prompt may still use up, its subagents included (C13). The time stops whatever runs; tool calls beyond
 * their number do not run; model calls and tokens are looked at before each model call. Whoever made it disposes it.
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
      options.control.interrupt({ by: 'budget', reason: `The ${wallMs} ms for this prompt are over.` });
    this.#timer = setTimeout(stop, wallMs);
  }

  /** Whether the prompt has a budget at all. */
  get isSet(): boolean {
    return Object.keys(this.remaining()).length > 0;
  }

  /** The limit that keeps the model from being called again. */
  reached(): BudgetLimit | undefined {
    const { tally, sessionTokens } = this.#options;
    const { wallMs, turns, tokens } = this.remaining();
    if (this.#refusedCall) return 'toolCalls';
    if (wallMs === 0) return 'wallMs';
    if (turns === 0) return 'turns';
    if (tokens === 0) return 'tokens';
    if (sessionTokens === undefined) return undefined;
    return sessionTokens.spent + tokensOf(tally) >= sessionTokens.limit ? 'sessionTokens' : undefined;
  }

  /** Whether one more tool may run. A call that is refused here ends the turn before the next model call. */
  allowsToolCall(): boolean {
    const isAllowed = this.remaining().toolCalls !== 0;
    this.#refusedCall ||= !isAllowed;
    return isAllowed;
  }

  /** What is left, never below 0; members without a limit are missing. */
  remaining(): Budget {
    const { budget, tally, nowMs } = this.#options;
    const left = (limit: number, spent: number) => Math.max(0, limit - spent);
    return {
      ...(budget.wallMs !== undefined && { wallMs: Math.round(left(budget.wallMs, nowMs() - this.#startedAtMs)) }),
      ...(budget.turns !== undefined && { turns: left(budget.turns, tally.allModelCalls) }),
      ...(budget.toolCalls !== undefined && { toolCalls: left(budget.toolCalls, tally.toolCalls) }),
      ...(budget.tokens !== undefined && { tokens: left(budget.tokens, tokensOf(tally)) }),
    };
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}

function tokensOf({ usage }: TurnTally): number {
  return usage.total_tokens ?? usage.input_tokens + usage.output_tokens;
}
