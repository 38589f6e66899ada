import type { Writable } from 'node:stream';
import { AgentError, createDeferred, type Deferred } from '@qwen/protocol';

/** A batch this long goes out at once instead of at the end of the tick. Counted in UTF-16 units. */
const BATCH_LENGTH = 64 * 1024;

const AT_ONCE = Promise.resolve();

export interface LineWriterOptions {
  /** Called once when the other end is gone (EPIPE, reset); what is written from then on is dropped. Must not throw. */
  readonly onLost?: (error: AgentError) => void;
  /** Hears what leaves, line ends included. Must not throw. */
  readonly onWrite?: (text: string) => void;
}

/**
 * The sole owner of an output; nothing else in the program writes to stdout (HOUSE §4.24). Lines keep their order.
 * What is written in one tick goes out in one write. Data lines feel back-pressure and the gate of `pause()`; control
 * lines feel neither, so an answer is never stuck behind data that nobody reads (DESIGN §5).
 */
export class LineWriter {
  readonly #output: Writable;
  readonly #options: LineWriterOptions;
  #batch = '';
  #isScheduled = false;
  /** Data lines that wait behind the gate. */
  #held: string[] = [];
  #gate: Deferred<void> | undefined;
  /** Set while the output is full. */
  #room: Deferred<void> | undefined;
  #unfinishedWrites = 0;
  #drained: Deferred<void> | undefined;
  #isLost = false;
  #isConcluded = false;

  constructor(output: Writable, options: LineWriterOptions = {}) {
    this.#output = output;
    this.#options = options;
    output.on('drain', () => this.#openRoom());
    output.on('error', (error: Error) => this.#lose(error));
    output.on('close', () => this.#lose(new Error('the output was closed')));
  }

  /**
   * Writes a data line, line end included. Resolves when there is room for the next one, which also means: when the
   * output drained, failed or closed, whichever comes first (HOUSE §4.22). Never rejects.
   */
  write(line: string): Promise<void> {
    if (this.#isLost || this.#isConcluded) return AT_ONCE;
    if (this.#gate !== undefined) {
      this.#held.push(line);
      return this.#gate.promise;
    }
    this.#append(line);
    return this.#room?.promise ?? AT_ONCE;
  }

  /** Writes a control line now, behind what is already on its way and past everything that the gate holds. */
  writeControl(line: string): void {
    if (this.#isLost || this.#isConcluded) return;
    this.#batch += line;
    this.#flushBatch();
  }

  /** Writes the very last lines, behind all others. What is written from then on is dropped. */
  conclude(lines: string): void {
    this.resume();
    this.writeControl(lines);
    this.#isConcluded = true;
  }

  /** Holds data lines back until `resume()`. */
  pause(): void {
    this.#gate ??= createDeferred<void>();
  }

  resume(): void {
    const gate = this.#gate;
    if (gate === undefined) return;
    this.#gate = undefined;
    for (const line of this.#held.splice(0)) this.#append(line);
    this.#resolveWithRoom(gate);
  }

  /** Opens the gate, then resolves once everything written has left this process or can never leave it. */
  async flush(): Promise<void> {
    this.resume();
    this.#flushBatch();
    if (this.#unfinishedWrites === 0 || this.#isLost) return;
    this.#drained ??= createDeferred<void>();
    await this.#drained.promise;
  }

  #append(line: string): void {
    this.#batch += line;
    if (this.#batch.length >= BATCH_LENGTH) {
      this.#flushBatch();
    } else if (!this.#isScheduled) {
      this.#isScheduled = true;
      process.nextTick(() => {
        this.#isScheduled = false;
        this.#flushBatch();
      });
    }
  }

  #flushBatch(): void {
    const batch = this.#batch;
    if (batch === '' || this.#isLost) return;
    this.#batch = '';
    this.#options.onWrite?.(batch);
    this.#unfinishedWrites += 1;
    const hasRoom = this.#output.write(batch, () => this.#finishWrite());
    if (!hasRoom && !this.#isLost) this.#room ??= createDeferred<void>();
  }

  #finishWrite(): void {
    this.#unfinishedWrites -= 1;
    if (this.#unfinishedWrites === 0) this.#drained?.resolve();
  }

  #openRoom(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }

  /** Whoever waited at the gate also waits for the room that the held lines have used up. */
  #resolveWithRoom(gate: Deferred<void>): void {
    if (this.#room === undefined) gate.resolve();
    else this.#room.promise.then(() => gate.resolve(), gate.reject);
  }

  #lose(error: Error): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#batch = '';
    this.#held = [];
    this.#openRoom();
    this.#gate?.resolve();
    this.#drained?.resolve();
    this.#options.onLost?.(new AgentError('channel_closed', 'The reader closed the output.', { cause: error }));
  }
}

/** The real stdout; the guard hides it from everybody else. */
export function openStdout(): NodeJS.WriteStream {
  return process.stdout;
}
