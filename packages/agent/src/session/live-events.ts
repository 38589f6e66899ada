import type { AgentEvent } from '../events.js';

/** In characters. More live output is dropped; the result contains it. */
const MAX_WAITING_OUTPUT = 256 * 1024;

/** Out-of-order events, such as live output, and the signal that wakes the reader. */
export class LiveEvents {
  #events: AgentEvent[] = [];
  #waitingOutput = 0;
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

  /** Like {@link push}; resolves once the event is read. */
  show(event: AgentEvent): Promise<void> {
    this.push(event);
    return new Promise((resolve) => {
      this.#onTaken.push(resolve);
    });
  }

  take(): readonly AgentEvent[] {
    if (this.#events.length === 0) return NOTHING;
    const events = this.#events;
    this.#events = [];
    this.#waitingOutput = 0;
    for (const onTaken of this.#onTaken.splice(0)) onTaken();
    return events;
  }

  wake(): void {
    this.#isRung = true;
    this.#ring?.();
  }

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
