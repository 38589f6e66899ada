import {
  AgentError,
  createDeferred,
  type Deferred,
  describeIssue,
  MAX_QUEUED_PROMPTS,
  type SDKUserMessage,
  userMessageSchema,
} from '@qwen/protocol';

export interface InputPumpOptions {
  /** Resolves when more can be sent. */
  readonly send: (message: SDKUserMessage) => Promise<void>;
  /** Called once, when every message is answered and the input of the CLI may end. */
  readonly onFinished: () => void;
}

/**
 * Sends user messages to the CLI. Its input ends only after the last result: until then it also carries permission
 * answers and tool results.
 */
export class InputPump {
  readonly #options: InputPumpOptions;
  /** Resolves when `initialize` is answered. */
  readonly #opened = createDeferred<void>();
  readonly #sources = new Set<AsyncIterator<SDKUserMessage>>();
  #unanswered = 0;
  #ended = false;
  #finished = false;
  #stopped = false;
  #room: Deferred<void> | undefined;

  constructor(options: InputPumpOptions) {
    this.#options = options;
  }

  /** Messages taken that have no result yet. */
  get unanswered(): number {
    return this.#unanswered;
  }

  /** Whether input has ended and every message is answered. */
  get finished(): boolean {
    return this.#finished;
  }

  /** Starts sending. */
  open(): void {
    this.#opened.resolve();
  }

  /** Sends one message, however many are unanswered. Rejects with `channel_closed` after the end of input. */
  async send(message: SDKUserMessage): Promise<void> {
    this.#assertOpen();
    this.#unanswered += 1;
    await this.#opened.promise;
    if (!this.#stopped) await this.#options.send(message);
  }

  /**
   * Sends every message of a source in order, and resolves when the last one is sent. Rejects with the source's
   * error, with `invalid_message`, and with `channel_closed` after the end of input.
   */
  async sendAll(messages: AsyncIterable<SDKUserMessage>): Promise<void> {
    this.#assertOpen();
    const source = messages[Symbol.asyncIterator]();
    this.#sources.add(source);
    try {
      await this.#opened.promise;
      while (!this.#ended) {
        const { done, value } = await source.next();
        if (done === true || this.#ended) break;
        const message = readUserMessage(value);
        await this.#waitForRoom();
        if (this.#stopped) break;
        this.#unanswered += 1;
        await this.#options.send(message);
      }
    } finally {
      this.#sources.delete(source);
      this.#finishWhenIdle();
    }
  }

  /** Counts a turn that starts without a message. Throws `channel_closed` after the end of input. */
  expectTurn(): void {
    this.#assertOpen();
    this.#unanswered += 1;
  }

  /** Accepts no more messages; those taken are still sent and answered. */
  end(): void {
    this.#ended = true;
    for (const source of this.#sources) release(source);
    this.#sources.clear();
    this.#finishWhenIdle();
  }

  /** A turn has its result, or will have none. */
  answered(): void {
    this.#unanswered = Math.max(0, this.#unanswered - 1);
    this.#room?.resolve();
    this.#finishWhenIdle();
  }

  /** The query is over: sends nothing more. */
  stop(): void {
    this.#stopped = true;
    this.#finished = true;
    this.end();
    this.#opened.resolve();
    this.#room?.resolve();
  }

  #assertOpen(): void {
    if (this.#ended || this.#finished) throw new AgentError('channel_closed', 'The input of this query has ended.');
  }

  async #waitForRoom(): Promise<void> {
    while (this.#unanswered >= MAX_QUEUED_PROMPTS && !this.#stopped) {
      this.#room = createDeferred();
      await this.#room.promise;
    }
  }

  #finishWhenIdle(): void {
    if (this.#finished || this.#sources.size > 0 || this.#unanswered > 0) return;
    this.#finished = true;
    this.#options.onFinished();
  }
}

function readUserMessage(value: unknown): SDKUserMessage {
  const parsed = userMessageSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new AgentError('invalid_message', describeIssue('user message', parsed.error));
}

/** Not awaited: a generator suspended in its own `await` returns only after that settles. */
function release(source: AsyncIterator<SDKUserMessage>): void {
  source.return?.().then(undefined, () => undefined);
}
