import { AgentError } from '@qwen/protocol';
import type { RemoteLines } from '@qwen/protocol/server';
import type { Transport } from '@qwen/sdk';

/** How long a request waits for a program that does not read before it is answered with what was taken. */
const HOLD_MS = 10_000;

/** Lines for a program, each taken once however often it is said. */
export class LineIntake {
  readonly #transport: Transport;
  #taken = 0;
  /** Settles when the program takes more. */
  #room: Promise<void> = Promise.resolve();

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Passes on what is new, one line at a time as the program reads them, and gives the number of the last one that it
   * has. Several requests may wait here at once, when a client has lost the answer to one of them. Errors:
   * `invalid_cursor` when lines between were never said, `channel_closed` when the program takes no more.
   */
  async take({ first, lines, end = false }: RemoteLines): Promise<number> {
    if (first > this.#taken + 1) {
      throw new AgentError('invalid_cursor', `Line ${this.#taken + 1} has not come yet.`, {
        data: { taken: this.#taken },
      });
    }
    const last = first + lines.length - 1;
    const patience = new Patience(HOLD_MS);
    try {
      while (this.#taken < last) {
        if (!(await patience.waitFor(this.#room))) return this.#taken;
        // From the look at the number to the write nothing else runs, so that no line is taken twice.
        const line = lines[this.#taken + 1 - first];
        if (line === undefined) break;
        this.#room = this.#transport.send(`${line}\n`);
        this.#room.catch(() => undefined);
        this.#taken += 1;
      }
      // Whoever says more at once would only fill memory here.
      await patience.waitFor(this.#room);
    } finally {
      patience.end();
    }
    if (end) this.#transport.endInput();
    return this.#taken;
  }
}

/** One deadline over several waits. */
class Patience {
  readonly #over: Promise<false>;
  readonly #timer: NodeJS.Timeout;

  constructor(waitMs: number) {
    let end: (() => void) | undefined;
    this.#over = new Promise((resolve) => {
      end = () => resolve(false);
    });
    this.#timer = setTimeout(() => end?.(), waitMs);
  }

  /** False when the deadline came first. Rejects with what the promise rejects with. */
  waitFor(promise: Promise<void>): Promise<boolean> {
    return Promise.race([promise.then(() => true), this.#over]);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
