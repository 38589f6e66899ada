import type { AgentEvent, BudgetLimit, InterruptSource, TurnOutcome } from '@qwen/agent';
import type { AgentError, SDKResultError, SDKResultInterrupted, SDKResultSuccess } from '@qwen/protocol';

type TurnEnd = Extract<AgentEvent, { type: 'turn_end' }>;

type Shared = 'subtype' | 'is_error' | 'terminal_reason' | 'budget_remaining';

const GIVES_REASON: ReadonlySet<InterruptSource> = new Set(['hook', 'permission']);

type Verdict =
  | Pick<SDKResultSuccess, Shared | 'result' | 'structured_output' | 'error'>
  | Pick<SDKResultError, Shared | 'structured_output' | 'error'>
  | Pick<SDKResultInterrupted, Shared | 'interrupt_reason' | 'structured_output' | 'error'>;

/** Exhausted budgets, for people. */
const RAISE_LIMIT = 'Raise it with --max-session-turns (SDK: maxSessionTurns); -1: no limit.';

const LIMITS: Readonly<Record<BudgetLimit, string>> = {
  wallMs: 'The time limit for this prompt was reached.',
  turns: 'The limit of model calls for this prompt was reached.',
  toolCalls: 'The limit of tool calls for this prompt was reached.',
  tokens: 'The token limit for this prompt was reached.',
  usd: 'The cost limit for this prompt was reached, or the provider did not count the tokens of an answer.',
  sessionTokens: 'The token limit of this session was reached.',
};

/** The result line of a turn. */
export function toVerdict({ outcome, budgetRemaining }: TurnEnd): Verdict {
  return {
    ...verdictOf(outcome),
    ...(budgetRemaining !== undefined && { budget_remaining: budgetRemaining }),
  };
}

export function describeLimit(limit: BudgetLimit): string {
  return LIMITS[limit];
}

function verdictOf(outcome: TurnOutcome): Verdict {
  switch (outcome.type) {
    case 'success': {
      const { text, structured } = outcome;
      return {
        subtype: 'success',
        is_error: false,
        result: text,
        ...(structured !== undefined && { structured_output: structured }),
      };
    }
    case 'interrupted': {
      const { by, reason } = outcome;
      const ended = { subtype: 'interrupted', is_error: false, terminal_reason: by } as const;
      return GIVES_REASON.has(by) && reason !== '' ? { ...ended, interrupt_reason: reason } : ended;
    }
    case 'max_turns':
      return failure('error_max_turns', 'max_turns', {
        message: `The turn reached its limit of ${outcome.limit} model calls. ${RAISE_LIMIT}`,
        code: 'max_turns',
      });
    case 'budget':
      return failure(outcome.limit === 'usd' ? 'error_max_budget_usd' : 'error_budget', outcome.limit, {
        message: describeLimit(outcome.limit),
        code: 'budget_exceeded',
      });
    case 'error':
      return failure(subtypeOf(outcome.error), outcome.error.code, {
        message: outcome.error.message,
        code: outcome.error.code,
        type: outcome.error.name,
      });
  }
}

function subtypeOf({ code }: AgentError): SDKResultError['subtype'] {
  return code === 'invalid_output' ? 'error_output_schema' : 'error_during_execution';
}

function failure(subtype: SDKResultError['subtype'], reason: string, error: SDKResultError['error']): Verdict {
  return { subtype, is_error: true, terminal_reason: reason, error };
}
