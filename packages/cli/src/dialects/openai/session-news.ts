import type { AgentEvent, TurnOutcome } from '@qwen/agent';
import { describeEnding } from '@qwen/host/remarks/remark-on.js';
import type { SessionNews } from './result-lines.js';

type TurnEnd = Extract<AgentEvent, { type: 'turn_end' }>;

/** What happened to the session beside its messages, as a line of its own (CF-19, D-37 … D-41, GAP-103). */
export function sessionNewsOf(event: AgentEvent): SessionNews | undefined {
  switch (event.type) {
    case 'compacted': {
      // The conversation of a subagent is not the session's.
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

/** For the finishing line of a turn that came to its own end (CF-19). */
export const FINISHED: SessionNews = { event: 'Finished', message: 'The turn is finished.' };

/** For the finishing line of an answer that was cut (GAP-17). */
export const TRUNCATED: SessionNews = { event: 'MAX_TOKENS', message: 'Response truncated due to token limits.' };

function newsOfEnd(end: TurnEnd): SessionNews | undefined {
  const event = wordFor(end.outcome);
  if (event === undefined) return undefined;
  const message = event === 'USER_CANCELLED' ? 'User cancelled the request.' : (describeEnding(end)?.words ?? event);
  return { event, message };
}

/** Undefined for a turn that came to its own end, or to one that a hook set. */
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
