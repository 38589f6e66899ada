import { AgentError, type DecodedLine, encodeLine, type Frame, LineDecoder, readFrame } from '@qwen/protocol';
import type { Transport, TransportExit } from '../transport/transport.js';

/** The other end of a {@link LinkedTransport}. Its members must not throw. */
export interface LinkedProgram {
  readonly onFrame: (frame: Frame) => void;
  readonly onInputEnd: () => void;
  /** The app has closed the transport; later lines are dropped. */
  readonly onClose: () => void;
}

/** A transport whose other end is an object. Lines travel as bytes and arrive in a later microtask. */
export class LinkedTransport implements Transport {
  readonly pid = undefined;
  readonly #program: LinkedProgram;
  readonly #closed = Promise.withResolvers<TransportExit>();
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
      throw new AgentError('already_reading', 'A scripted CLI serves one query. Create another one.');
    }
    this.#onLine = onLine;
  }

  send(line: string): Promise<void> {
    if (this.#isOver) return Promise.reject(new AgentError('channel_closed', 'The scripted CLI has exited.'));
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

  /** Sends one line to the app. Throws the errors of `encodeLine`. */
  emit(line: object): void {
    for (const decoded of this.#fromProgram.push(this.#encoder.encode(encodeLine(line)))) {
      this.#later(() => this.#onLine?.(decoded));
    }
  }

  /** Exits after every sent line has arrived. */
  exit(exit: Pick<TransportExit, 'exitCode' | 'stderrTail'>): void {
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
