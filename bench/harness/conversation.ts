import { type Query, type QueryOptions, query, type SDKUserMessage } from '@qwen/sdk';

/** Runs one prompt at a time. Use `await using`, which waits for the child to exit. */
export class Conversation implements AsyncDisposable {
  readonly query: Query;
  readonly #prompts: SDKUserMessage[] = [];
  #wake = (): void => {};
  #answered = (): void => {};
  #failed = (_error: unknown): void => {};
  #ended = false;
  readonly #reading: Promise<void>;

  constructor(options: QueryOptions) {
    this.query = query({ prompt: this.#input(), options });
    this.#reading = this.#read();
  }

  /** Milliseconds from prompt to result. */
  async ask(content: string): Promise<number> {
    const startedAt = performance.now();
    const answered = new Promise<void>((resolve, reject) => {
      this.#answered = resolve;
      this.#failed = reject;
    });
    this.#prompts.push({ type: 'user', message: { role: 'user', content } });
    this.#wake();
    await answered;
    return performance.now() - startedAt;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    this.#wake();
    await this.#reading;
  }

  async *#input(): AsyncGenerator<SDKUserMessage> {
    for (;;) {
      for (let next = this.#prompts.shift(); next !== undefined; next = this.#prompts.shift()) yield next;
      if (this.#ended) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async #read(): Promise<void> {
    try {
      for await (const message of this.query) {
        if (message.type !== 'result') continue;
        if (message.is_error) this.#failed(new Error(message.error?.message ?? message.subtype));
        else this.#answered();
      }
    } catch (error) {
      this.#failed(error);
    }
  }
}
