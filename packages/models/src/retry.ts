import type { AgentError } from '@qwen/protocol';
import type { ModelLimits } from './model.js';

/** The first back-off lies between {@link SHORTEST_DELAY_MS} and this; each further one doubles it. */
const FIRST_CEILING_MS = 1_000;
/** Five calls against a dead host wait 15 s at most in all (F65). */
const HIGHEST_CEILING_MS = 8_000;
/** Full jitter may come out at nothing, and nothing is a hot loop (F60). */
const SHORTEST_DELAY_MS = 200;

/** A call that failed before any of its answer was passed on. */
export interface FailedCall {
  readonly error: AgentError;
  /** How many calls were made, this one included. */
  readonly attempt: number;
  readonly limits: ModelLimits;
  /** From 0 up to, but without, 1. */
  readonly random: number;
}

/**
 * Milliseconds until the call may be made again, undefined to give up: the error is not of the passing kind, the tries
 * are used up, or the provider asks for more patience than we have (F59, F61, F63).
 */
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
