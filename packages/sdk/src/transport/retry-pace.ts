import { setTimeout as delay } from 'node:timers/promises';
import { AgentError, type ErrorCode } from '@qwen/protocol';

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 5_000;

/** What the same request may get over when it is sent again. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['server_unreachable', 'overloaded', 'shutting_down', 'timeout']);

export function isPassing(error: unknown): error is AgentError {
  return AgentError.is(error) && PASSING.has(error.code);
}

export interface RetryPaceOptions {
  /** How long nothing may succeed before it is given up, in milliseconds. */
  readonly patienceMs: number;
  /** Aborting it ends a wait. */
  readonly signal: AbortSignal;
}

/** When to try again: soon at first, then ever later, never all clients in one moment (F128). */
export class RetryPace {
  readonly #options: RetryPaceOptions;
  #failures = 0;
  #failingSince: number | undefined;

  constructor(options: RetryPaceOptions) {
    this.#options = options;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#failingSince = undefined;
  }

  /** Waits until it is time to try again. Throws the reason when it is time to give up, or the wait is aborted. */
  async failed(reason: AgentError): Promise<void> {
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
