import type { Writable } from 'node:stream';
import { AgentError } from '@qwen/protocol';

/** A batch of this length is written before the end of the tick. In UTF-16 units. */
const BATCH_LENGTH = 64 * 1024;

const AT_ONCE = Promise.resolve();

export interface LineWriterOptions {
  /** Called once when the reader closes (EPIPE, reset); later writes are dropped. Must not throw. */
  readonly onLost?: (error: AgentError) => void;
  /** Receives the written text. Must not throw. */
  readonly onWrite?: (text: string) => void;
}

/**
 * The only writer to stdout. Lines keep their order and go out in one write per tick. Data lines respect
 * back-pressure and `pause()`; control lines bypass both.
 */
export class LineWriter {
  readonly #output: Writable;
  readonly #options: LineWriterOptions;
  #batch = '';
  #isScheduled = false;
  #held: string[] = [];
  #gate: PromiseWithResolvers<void> | undefined;
  #room: PromiseWithResolvers<void> | undefined;
  #unfinishedWrites = 0;
  #drained: PromiseWithResolvers<void> | undefined;
  #isLost = false;
  #isConcluded = false;

  constructor(output: Writable, options: LineWriterOptions = {}) {
    this.#output = output;
    this.#options = options;
    output.on('drain', () => this.#openRoom());
    output.on('error', (error: Error) => this.#lose(error));
    output.on('close', () => this.#lose(new Error('the output was closed')));
  }

  /** Resolves when the output has room, failed or closed. Never rejects. */
  write(line: string): Promise<void> {
    if (this.#isLost || this.#isConcluded) return AT_ONCE;
    if (this.#gate !== undefined) {
      this.#held.push(line);
      return this.#gate.promise;
    }
    this.#append(line);
    return this.#room?.promise ?? AT_ONCE;
  }

  /** Skips held data lines. */
  writeControl(line: string): void {
    if (this.#isLost || this.#isConcluded) return;
    this.#batch += line;
    this.#flushBatch();
  }

  conclude(lines: string): void {
    this.resume();
    this.writeControl(lines);
    this.#isConcluded = true;
  }

  pause(): void {
    this.#gate ??= Promise.withResolvers<void>();
  }

  resume(): void {
    const gate = this.#gate;
    if (gate === undefined) return;
    this.#gate = undefined;
    for (const line of this.#held.splice(0)) this.#append(line);
    this.#resolveWithRoom(gate);
  }

  /** Opens the gate; resolves once all output was written or dropped. */
  async flush(): Promise<void> {
    this.resume();
    this.#flushBatch();
    if (this.#unfinishedWrites === 0 || this.#isLost) return;
    this.#drained ??= Promise.withResolvers<void>();
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
    if (!hasRoom && !this.#isLost) this.#room ??= Promise.withResolvers<void>();
  }

  #finishWrite(): void {
    this.#unfinishedWrites -= 1;
    if (this.#unfinishedWrites > 0) return;
    this.#drained?.resolve();
    this.#drained = undefined;
  }

  #openRoom(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }

  /** Callers at the gate also wait for the room that held lines used. */
  #resolveWithRoom(gate: PromiseWithResolvers<void>): void {
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

let stdout: NodeJS.WriteStream | undefined;

/** The real stdout, also after `guardStdout()`. */
export function openStdout(): NodeJS.WriteStream {
  stdout ??= process.stdout;
  return stdout;
}

/** Redirects `process.stdout` to stderr: stdout carries only the protocol. Call `openStdout()` first. */
export function guardStdout(): void {
  Object.defineProperty(process, 'stdout', { configurable: true, enumerable: true, get: () => process.stderr });
}
