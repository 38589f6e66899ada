import { AgentError } from '@qwen/protocol';
import type { RemoteLines } from '@qwen/protocol/server';
import type { Transport } from '@qwen/sdk';

/** How long a request waits for a program that does not read. */
const HOLD_MS = 10_000;

/** Passes numbered lines to a program, each once. */
export class LineIntake {
  readonly #transport: Transport;
  #taken = 0;
  #room: Promise<void> = Promise.resolve();

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Returns the number of the last accepted line. Requests may overlap. Errors: `invalid_cursor` for a gap;
   * `channel_closed`.
   */
  async take({ first, lines, end = false }: RemoteLines): Promise<number> {
    if (first > this.#taken + 1) {
      throw new AgentError('invalid_cursor', `Expected line ${this.#taken + 1} next.`, {
        data: { taken: this.#taken },
      });
    }
    const last = first + lines.length - 1;
    const deadline = new Deadline(HOLD_MS);
    try {
      while (this.#taken < last) {
        if (!(await deadline.waitFor(this.#room))) return this.#taken;
        // Synchronous up to the write, so that no line is repeated.
        const line = lines[this.#taken + 1 - first];
        if (line === undefined) break;
        this.#room = this.#transport.send(`${line}\n`);
        this.#room.catch(() => undefined);
        this.#taken += 1;
      }
      // Backpressure for the client.
      await deadline.waitFor(this.#room);
    } finally {
      deadline.end();
    }
    if (end) this.#transport.endInput();
    return this.#taken;
  }
}

/** One deadline for several waits. */
class Deadline {
  readonly #expired: Promise<false>;
  readonly #timer: NodeJS.Timeout;

  constructor(waitMs: number) {
    let end: (() => void) | undefined;
    this.#expired = new Promise((resolve) => {
      end = () => resolve(false);
    });
    this.#timer = setTimeout(() => end?.(), waitMs);
  }

  waitFor(promise: Promise<void>): Promise<boolean> {
    return Promise.race([promise.then(() => true), this.#expired]);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
