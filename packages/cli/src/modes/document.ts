import { Writable } from 'node:stream';
import type { AgentError } from '@qwen/protocol';
import type { InputFrame } from '../io/frame-reader.js';
import type { LineWriter } from '../io/line-writer.js';
import type { MachineMode } from './machine-mode.js';

export class LineCollector extends Writable {
  readonly #pieces: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#pieces.push(chunk);
    done();
  }

  get document(): string {
    const lines = Buffer.concat(this.#pieces).toString('utf8').split('\n');
    return `[${lines.filter((line) => line !== '').join(',\n')}]\n`;
  }
}

export interface DocumentOptions {
  readonly mode: MachineMode;
  readonly collector: LineCollector;
  readonly writer: LineWriter;
}

/** Prints all lines of a mode as one JSON document at its end. */
export class DocumentMode implements MachineMode {
  readonly done: Promise<number>;
  readonly #mode: MachineMode;

  constructor({ mode, collector, writer }: DocumentOptions) {
    this.#mode = mode;
    this.done = mode.done.then(async (exitCode) => {
      await writer.write(collector.document);
      await writer.flush();
      return exitCode;
    });
  }

  accept(input: InputFrame): void {
    this.#mode.accept(input);
  }

  endInput(): void {
    this.#mode.endInput();
  }

  cancel(): boolean {
    return this.#mode.cancel();
  }

  fail(error: AgentError): void {
    this.#mode.fail(error);
  }
}
