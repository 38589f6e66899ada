import {
  AgentError,
  createDeferred,
  type DecodedLine,
  encodeLine,
  type Frame,
  LineDecoder,
  readFrame,
} from '@qwen/protocol';
import type { Transport, TransportExit } from '../transport/transport.js';

/** The far end of a {@link LinkedTransport}. None of its members may throw. */
export interface LinkedProgram {
  /** One line of the app. */
  readonly onFrame: (frame: Frame) => void;
  /** The app says no more. */
  readonly onInputEnd: () => void;
  /** The app is gone: what runs shall stop. Nothing that is said from now on is heard. */
  readonly onClose: () => void;
}

/**
 * A transport without a process: its other end is an object. Lines take the road of a real pipe, as bytes, and arrive
 * in a later microtask, never inside of `send`.
 */
export class LinkedTransport implements Transport {
  readonly pid = undefined;
  readonly #program: LinkedProgram;
  readonly #closed = createDeferred<TransportExit>();
  readonly #encoder = new TextEncoder();
  readonly #fromApp = new LineDecoder();
  readonly #fromProgram = new LineDecoder();
  #onLine: ((line: DecodedLine) => void) | undefined;
  #isOver = false;

  constructor(program: LinkedProgram) {
    this.#program = program;
  }

  get closed(): Promise<TransportExit> {
    return this.#closed.promise;
  }

  async start(onLine: (line: DecodedLine) => void): Promise<void> {
    if (this.#onLine !== undefined) {
      throw new AgentError('already_reading', 'A scripted CLI serves one query; make another one for the next.');
    }
    this.#onLine = onLine;
  }

  send(line: string): Promise<void> {
    if (this.#isOver) return Promise.reject(new AgentError('channel_closed', 'The scripted CLI has left.'));
    for (const decoded of this.#fromApp.push(this.#encoder.encode(line))) {
      this.#later(() => this.#program.onFrame(toFrame(decoded)));
    }
    return Promise.resolve();
  }

  endInput(): void {
    this.#later(() => this.#program.onInputEnd());
  }

  async close(): Promise<void> {
    if (!this.#isOver) {
      this.#isOver = true;
      this.#program.onClose();
      this.#closed.resolve({ exitCode: 0, signal: null, stderrTail: '' });
    }
    await this.closed;
  }

  /** Says one line to the app. Throws what `encodeLine` throws. */
  say(line: object): void {
    for (const decoded of this.#fromProgram.push(this.#encoder.encode(encodeLine(line)))) {
      this.#later(() => this.#onLine?.(decoded));
    }
  }

  /** Leaves, after everything that was said has arrived. */
  leave(exit: Pick<TransportExit, 'exitCode' | 'stderrTail'>): void {
    this.#later(() => {
      this.#isOver = true;
      this.#closed.resolve({ signal: null, ...exit });
    });
  }

  #later(work: () => void): void {
    queueMicrotask(() => {
      if (!this.#isOver) work();
    });
  }
}

function toFrame(line: DecodedLine): Frame {
  return line.ok ? readFrame(line.text) : { kind: 'invalid', error: line.error };
}
