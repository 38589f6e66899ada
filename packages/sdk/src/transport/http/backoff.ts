import { setTimeout as delay } from 'node:timers/promises';
import { AgentError, type ErrorCode } from '@qwen/protocol';

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 5_000;

const RETRYABLE: ReadonlySet<ErrorCode> = new Set(['server_unreachable', 'overloaded', 'shutting_down', 'timeout']);

export function isRetryable(error: unknown): error is AgentError {
  return AgentError.is(error) && RETRYABLE.has(error.code);
}

export interface BackoffOptions {
  /** Milliseconds of failures until {@link Backoff.wait} throws. */
  readonly patienceMs: number;
  readonly signal: AbortSignal;
}

/** Exponential backoff with jitter. */
export class Backoff {
  readonly #options: BackoffOptions;
  #failures = 0;
  #failingSince: number | undefined;

  constructor(options: BackoffOptions) {
    this.#options = options;
  }

  reset(): void {
    this.#failures = 0;
    this.#failingSince = undefined;
  }

  /** Throws the reason when the patience is exhausted or the signal aborts. */
  async wait(reason: AgentError): Promise<void> {
    const now = performance.now();
    this.#failingSince ??= now;
    const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures) * (0.5 + Math.random());
    if (now + waitMs - this.#failingSince > this.#options.patienceMs) throw reason;
    this.#failures += 1;
    await delay(waitMs, undefined, { signal: this.#options.signal }).catch(() => {
      throw reason;
    });
  }
}
