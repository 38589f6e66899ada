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
  /** Sends one message; resolves when more can be sent. */
  readonly send: (message: SDKUserMessage) => Promise<void>;
  /** Everything was said and answered: the input of the CLI may end. Called once. */
  readonly onFinished: () => void;
}

/**
 * Feeds the CLI with user messages and decides when its input ends: only after each message got its result, because
 * until then permission answers and tool results still travel there (B1, F116).
 */
export class InputPump {
  readonly #options: InputPumpOptions;
  /** Sources wait here until `initialize` is answered (CF-53). */
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

  /** Messages that were taken and have no result yet. */
  get unanswered(): number {
    return this.#unanswered;
  }

  /** Whether everything was said and answered. */
  get finished(): boolean {
    return this.#finished;
  }

  /** Lets the messages go. */
  open(): void {
    this.#opened.resolve();
  }

  /** Sends one message. Nothing but the end of the query keeps it from being sent. */
  async say(message: SDKUserMessage): Promise<void> {
    this.#assertTaking();
    this.#unanswered += 1;
    await this.#opened.promise;
    if (!this.#stopped) await this.#options.send(message);
  }

  /**
   * Sends every message of a source, in order. Resolves when its last one was sent; rejects with what the source
   * throws, with `invalid_message` for what is no user message, and with `channel_closed` when input has ended.
   */
  async add(messages: AsyncIterable<SDKUserMessage>): Promise<void> {
    this.#assertTaking();
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
      this.#finishWhenQuiet();
    }
  }

  /** A turn begins without a message of its own: it will have a result too. Throws `channel_closed` after the end. */
  expectTurn(): void {
    this.#assertTaking();
    this.#unanswered += 1;
  }

  /** Takes no further message. What was taken is sent and gets its answer. */
  end(): void {
    this.#ended = true;
    for (const source of this.#sources) letGo(source);
    this.#sources.clear();
    this.#finishWhenQuiet();
  }

  /** A result came, or will not come: one turn less to wait for. */
  answered(): void {
    this.#unanswered = Math.max(0, this.#unanswered - 1);
    this.#room?.resolve();
    this.#finishWhenQuiet();
  }

  /** The query is over: nothing is sent or waited for any more. */
  stop(): void {
    this.#stopped = true;
    this.#finished = true;
    this.end();
    this.#opened.resolve();
    this.#room?.resolve();
  }

  #assertTaking(): void {
    if (this.#ended || this.#finished) throw new AgentError('channel_closed', 'The input of this query has ended.');
  }

  async #waitForRoom(): Promise<void> {
    while (this.#unanswered >= MAX_QUEUED_PROMPTS && !this.#stopped) {
      this.#room = createDeferred();
      await this.#room.promise;
    }
  }

  #finishWhenQuiet(): void {
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

/** A generator that waits for something of its own only returns after that, so nobody waits for it. */
function letGo(source: AsyncIterator<SDKUserMessage>): void {
  source.return?.().then(undefined, () => undefined);
}
