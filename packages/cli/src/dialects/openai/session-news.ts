import type { AgentEvent, TurnOutcome } from '@qwen/agent';
import { describeEnding } from '@qwen/host/styled-output/output-for.js';
import type { SessionNews } from './result-lines.js';

type TurnEnd = Extract<AgentEvent, { type: 'turn_end' }>;

/** Session events other than messages. */
export function sessionNewsOf(event: AgentEvent): SessionNews | undefined {
  switch (event.type) {
    case 'compacted': {
      // Subagent conversations are not part of the session.
      if (event.parentToolUseId !== null) return undefined;
      const { tokensBefore, tokensAfter } = event;
      const message = `The conversation was compacted: ${tokensBefore} tokens before, ${tokensAfter} after.`;
      const metrics = { original_tokens: tokensBefore, compressed_tokens: tokensAfter };
      return { event: 'ChatCompressed', message, metrics };
    }
    case 'retry':
      return {
        event: 'Retry',
        message: event.error.message,
        metrics: { attempt: event.attempt, delay_ms: Math.round(event.delayMs) },
      };
    case 'notice':
      return event.code === 'loop_detected' ? { event: 'LoopDetected', message: event.message } : undefined;
    case 'turn_end':
      return newsOfEnd(event);
    default:
      return undefined;
  }
}

/** Sent with the finishing line of a completed turn. */
export const FINISHED: SessionNews = { event: 'Finished', message: 'The turn is finished.' };

/** Sent with the finishing line of a truncated answer. */
export const TRUNCATED: SessionNews = { event: 'MAX_TOKENS', message: 'Response truncated due to token limits.' };

function newsOfEnd(end: TurnEnd): SessionNews | undefined {
  const event = wordFor(end.outcome);
  if (event === undefined) return undefined;
  const message = event === 'USER_CANCELLED' ? 'User cancelled the request.' : (describeEnding(end)?.words ?? event);
  return { event, message };
}

/** Undefined for a completed turn or one that a hook stopped. */
function wordFor(outcome: TurnOutcome): SessionNews['event'] | undefined {
  switch (outcome.type) {
    case 'success':
      return undefined;
    case 'interrupted':
      return outcome.by === 'hook' ? undefined : 'USER_CANCELLED';
    case 'max_turns':
      return 'MaxSessionTurns';
    case 'budget':
      if (outcome.limit === 'turns') return 'MaxSessionTurns';
      return outcome.limit === 'tokens' || outcome.limit === 'sessionTokens' ? 'SessionTokenLimitExceeded' : 'Error';
    case 'error':
      return outcome.error.code === 'context_overflow' ? 'SessionTokenLimitExceeded' : 'Error';
  }
}
