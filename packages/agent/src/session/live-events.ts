import type { AgentEvent } from '../events.js';

/** Live output of tools that waits for a reader, in characters; what comes on top is left out, the result has it. */
const MAX_WAITING_OUTPUT = 256 * 1024;

/**
 * Events that do not wait for their turn (a tool's live output, a change of the model), and the bell that wakes the
 * one reader of a session.
 */
export class LiveEvents {
  #events: AgentEvent[] = [];
  #waitingOutput = 0;
  /** Called once the events are taken. */
  #onTaken: (() => void)[] = [];
  #ring: (() => void) | undefined;
  #isRung = false;

  get isEmpty(): boolean {
    return this.#events.length === 0;
  }

  push(event: AgentEvent): void {
    if (event.type === 'tool_delta') {
      if (this.#waitingOutput + event.text.length > MAX_WAITING_OUTPUT) return;
      this.#waitingOutput += event.text.length;
    }
    this.#events.push(event);
    this.wake();
  }

  /** Like {@link push}; resolves once the reader has the event, so that who shows much waits for it. */
  show(event: AgentEvent): Promise<void> {
    this.push(event);
    return new Promise((resolve) => {
      this.#onTaken.push(resolve);
    });
  }

  /** What waits, in order; the reader has it now. */
  take(): readonly AgentEvent[] {
    if (this.#events.length === 0) return NOTHING;
    const events = this.#events;
    this.#events = [];
    this.#waitingOutput = 0;
    for (const onTaken of this.#onTaken.splice(0)) onTaken();
    return events;
  }

  /** Wakes the reader, now or as soon as it waits. */
  wake(): void {
    this.#isRung = true;
    this.#ring?.();
  }

  /** Resolves when something happened since the last wait. */
  async wait(): Promise<void> {
    if (!this.#isRung) {
      await new Promise<void>((resolve) => {
        this.#ring = resolve;
      });
      this.#ring = undefined;
    }
    this.#isRung = false;
  }
}

const NOTHING: readonly AgentEvent[] = [];
