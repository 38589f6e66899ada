import type { AgentError } from '@qwen/protocol';
import type { ModelLimits } from './model.js';

/** Doubles with each attempt. */
const FIRST_CEILING_MS = 1_000;
/** Five attempts wait at most 15 s in total. */
const HIGHEST_CEILING_MS = 8_000;
/** Full jitter could be close to zero. */
const SHORTEST_DELAY_MS = 200;

export interface FailedCall {
  readonly error: AgentError;
  /** Calls so far, from 1. */
  readonly attempt: number;
  readonly limits: ModelLimits;
  /** In [0, 1). */
  readonly random: number;
}

/** Undefined to give up: the error is permanent, the attempts are used up, or `Retry-After` is too long. */
export function retryDelayMs({ error, attempt, limits, random }: FailedCall): number | undefined {
  if (!error.retryable || attempt >= limits.maxAttempts) return undefined;
  const asked = error.data['retryAfterSeconds'];
  if (typeof asked === 'number') {
    const askedMs = Math.ceil(asked * 1_000);
    return askedMs <= limits.maxRetryAfterMs ? Math.max(askedMs, SHORTEST_DELAY_MS) : undefined;
  }
  const ceiling = Math.min(HIGHEST_CEILING_MS, FIRST_CEILING_MS * 2 ** (attempt - 1));
  return SHORTEST_DELAY_MS + Math.floor(random * (ceiling - SHORTEST_DELAY_MS));
}
