import { AgentError } from '@qwen/protocol';
import type { ModelClock } from '../clock.js';

/** Ends a call once, by abort or timeout. The first reason wins and aborts `signal` with an AgentError. */
export class Deadline implements Disposable {
  readonly #controller = new AbortController();
  readonly #clock: ModelClock;
  readonly #caller: AbortSignal;
  readonly #onCallerAbort = () => this.end(abortedError());
  #cancelTimer: (() => void) | undefined;
  #cancelTotal: (() => void) | undefined;

  constructor(clock: ModelClock, caller: AbortSignal) {
    this.#clock = clock;
    this.#caller = caller;
    if (caller.aborted) this.#onCallerAbort();
    else caller.addEventListener('abort', this.#onCallerAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get reason(): AgentError | undefined {
    return this.signal.aborted ? AgentError.from(this.signal.reason) : undefined;
  }

  end(reason: AgentError): void {
    if (!this.signal.aborted) this.#controller.abort(reason);
  }

  /** Replaces an earlier timer. 0: none. */
  arm(ms: number, reason: () => AgentError): void {
    this.disarm();
    if (ms > 0) this.#cancelTimer = this.#clock.startTimer(ms, () => this.end(reason()));
  }

  /** Runs beside {@link arm}, until the call ends. 0: none. */
  limitTotal(ms: number, reason: () => AgentError): void {
    if (ms > 0) this.#cancelTotal = this.#clock.startTimer(ms, () => this.end(reason()));
  }

  disarm(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  /** Rejects as soon as the call ends. */
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
    this.#cancelTotal?.();
    this.#caller.removeEventListener('abort', this.#onCallerAbort);
  }
}

export function abortedError(): AgentError {
  return new AgentError('aborted', 'The request was aborted.');
}
