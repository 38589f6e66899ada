import { AgentError, MAX_QUEUED_PROMPTS } from '@qwen/protocol';

export interface InputStep {
  readonly promptId: () => string | undefined;
  /** Passes the input to the session; what it throws goes to `refuse`. Without a promise, the next input follows at once. */
  readonly take: (signal: AbortSignal) => Promise<void> | void;
  readonly refuse: (error: AgentError) => void;
}

interface RunningStep {
  readonly step: InputStep;
  readonly abort: AbortController;
}

/** Each input waits for the previous one. */
export class SessionInputs {
  readonly #waiting: InputStep[] = [];
  #running: RunningStep | undefined;
  #onIdle: (() => void)[] = [];

  /** Throws `overloaded`. */
  add(step: InputStep): void {
    if (this.#waiting.length >= MAX_QUEUED_PROMPTS) {
      throw new AgentError('overloaded', `${MAX_QUEUED_PROMPTS} messages are already queued.`);
    }
    this.#waiting.push(step);
    if (this.#running === undefined) this.#advance();
  }

  get current(): string | undefined {
    return this.#running?.step.promptId();
  }

  get isIdle(): boolean {
    return this.#running === undefined;
  }

  cancel(): boolean {
    this.#running?.abort.abort(new AgentError('cancelled', 'Request cancelled.'));
    return this.#running !== undefined;
  }

  /** Calls back once all inputs so far were passed on; at once when none is pending. */
  whenIdle(listener: () => void): void {
    if (this.isIdle) listener();
    else this.#onIdle.push(listener);
  }

  #advance(): void {
    for (let step = this.#waiting.shift(); step !== undefined; step = this.#waiting.shift()) {
      const reading = this.#take(step);
      if (reading !== undefined) {
        void reading.then(() => this.#advance());
        return;
      }
    }
    this.#running = undefined;
    for (const listener of this.#onIdle.splice(0)) listener();
  }

  #take(step: InputStep): Promise<void> | undefined {
    const abort = new AbortController();
    this.#running = { step, abort };
    const refuse = (thrown: unknown): void => {
      try {
        step.refuse(AgentError.from(thrown));
      } catch {
        // The error cannot be reported. The inputs after this one must not wait forever.
      }
    };
    try {
      return step.take(abort.signal)?.catch(refuse);
    } catch (thrown) {
      refuse(thrown);
      return undefined;
    }
  }
}
