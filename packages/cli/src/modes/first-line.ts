import type { Shutdown } from '@qwen/host/process/shutdown.js';
import type { AgentError } from '@qwen/protocol';
import type { InputFrame } from '../io/frame-reader.js';
import type { MachineMode } from './machine-mode.js';

export interface FirstLineOptions {
  readonly shutdown: Shutdown;
  readonly sdk: () => MachineMode;
  readonly openai: () => MachineMode;
}

/** Selects the dialect by the first line: `initialize` means the SDK dialect. */
export class FirstLine implements MachineMode {
  readonly done: Promise<number>;
  readonly #options: FirstLineOptions;
  readonly #settle: (exitCode: number) => void;
  #mode: MachineMode | undefined;

  constructor(options: FirstLineOptions) {
    this.#options = options;
    const { promise, resolve } = Promise.withResolvers<number>();
    this.done = promise;
    this.#settle = resolve;
    // A signal before the first line must end the process too.
    options.shutdown.onBegin(() => this.#choose('openai'));
  }

  accept(input: InputFrame): void {
    this.#choose(isInitialize(input) ? 'sdk' : 'openai').accept(input);
  }

  endInput(): void {
    this.#choose('openai').endInput();
  }

  cancel(): boolean {
    return this.#choose('openai').cancel();
  }

  fail(error: AgentError): void {
    this.#choose('openai').fail(error);
  }

  #choose(dialect: 'sdk' | 'openai'): MachineMode {
    if (this.#mode !== undefined) return this.#mode;
    const mode = this.#options[dialect]();
    this.#mode = mode;
    void mode.done.then(this.#settle);
    return mode;
  }
}

function isInitialize({ frame }: InputFrame): boolean {
  return frame.kind === 'control' && frame.frame.kind === 'request' && frame.frame.subtype === 'initialize';
}
