import { AgentError } from '@qwen/protocol';
import type { ModelClock } from '../clock.js';

/**
 * The one reason for which one call ends early: the caller's abort, a deadline, or our own leaving. The first wins and
 * aborts `signal`; its reason is an AgentError.
 */
export class Deadline implements Disposable {
  readonly #controller = new AbortController();
  readonly #clock: ModelClock;
  readonly #caller: AbortSignal;
  readonly #onCallerAbort = () => this.end(abortedError());
  #cancelTimer: (() => void) | undefined;

  constructor(clock: ModelClock, caller: AbortSignal) {
    this.#clock = clock;
    this.#caller = caller;
    if (caller.aborted) this.#onCallerAbort();
    else caller.addEventListener('abort', this.#onCallerAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why the call ended; undefined while it runs. */
  get reason(): AgentError | undefined {
    return this.signal.aborted ? AgentError.from(this.signal.reason) : undefined;
  }

  end(reason: AgentError): void {
    if (!this.signal.aborted) this.#controller.abort(reason);
  }

  /** Ends the call with `reason` unless {@link disarm} comes within `ms`. Replaces what was armed before. */
  arm(ms: number, reason: () => AgentError): void {
    this.disarm();
    this.#cancelTimer = this.#clock.startTimer(ms, () => this.end(reason()));
  }

  disarm(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  /** Settles like `work`, or rejects with the reason as soon as the call ends. */
  async guard<T>(work: Promise<T>): Promise<T> {
    let stop: (() => void) | undefined;
    const ended = new Promise<never>((_resolve, reject) => {
      stop = () => reject(AgentError.from(this.signal.reason));
      if (this.signal.aborted) stop();
      else this.signal.addEventListener('abort', stop, { once: true });
    });
    try {
      return await Promise.race([work, ended]);
    } finally {
      if (stop !== undefined) this.signal.removeEventListener('abort', stop);
    }
  }

  [Symbol.dispose](): void {
    this.disarm();
    this.#caller.removeEventListener('abort', this.#onCallerAbort);
  }
}

/** The outcome of a call whose caller aborted it. */
export function abortedError(): AgentError {
  return new AgentError('aborted', 'The caller aborted the answer.');
}
