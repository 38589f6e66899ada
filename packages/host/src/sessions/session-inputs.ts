import { AgentError, MAX_QUEUED_PROMPTS } from '@qwen/protocol';

export interface InputStep {
  /** What the host calls it, for a cancel; undefined before it has a name. */
  readonly promptId: () => string | undefined;
  /** Brings the input to the session. May take its time; what it rejects with goes to `refuse`. */
  readonly take: (signal: AbortSignal) => Promise<void>;
  readonly refuse: (error: AgentError) => void;
}

interface RunningStep {
  readonly step: InputStep;
  readonly abort: AbortController;
}

/** The way of inputs to one session, in their order: each waits until the one before it was taken in. */
export class SessionInputs {
  readonly #waiting: InputStep[] = [];
  #running: RunningStep | undefined;
  #onIdle: (() => void)[] = [];

  /** Throws `overloaded` when too many wait already. */
  add(step: InputStep): void {
    if (this.#waiting.length >= MAX_QUEUED_PROMPTS) {
      throw new AgentError('overloaded', `${MAX_QUEUED_PROMPTS} messages wait for their turn already.`);
    }
    this.#waiting.push(step);
    if (this.#running === undefined) void this.#run();
  }

  /** The one that is being taken in now. */
  get current(): string | undefined {
    return this.#running?.step.promptId();
  }

  get isIdle(): boolean {
    return this.#running === undefined;
  }

  /** Gives up the one that is being taken in. False when there is none. */
  cancel(): boolean {
    this.#running?.abort.abort(new AgentError('cancelled', 'Request cancelled.'));
    return this.#running !== undefined;
  }

  /** Calls back once everything so far was taken in; at once when that is so already. */
  whenIdle(listener: () => void): void {
    if (this.isIdle) listener();
    else this.#onIdle.push(listener);
  }

  async #run(): Promise<void> {
    for (let step = this.#waiting.shift(); step !== undefined; step = this.#waiting.shift()) {
      const abort = new AbortController();
      this.#running = { step, abort };
      try {
        await step.take(abort.signal);
      } catch (thrown) {
        step.refuse(AgentError.from(thrown));
      }
    }
    this.#running = undefined;
    for (const listener of this.#onIdle.splice(0)) listener();
  }
}
