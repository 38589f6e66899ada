import { AgentError, describeIssue, MAX_QUEUED_PROMPTS, type SDKUserMessage, userMessageSchema } from '@qwen/protocol';
import { toUserMessage } from './user-message.js';

/** One prompt, or user messages for one session. */
export type Prompt = string | AsyncIterable<SDKUserMessage>;

export interface InputPumpOptions {
  readonly send: (message: SDKUserMessage) => Promise<void>;
  /** Called once, after the last result. */
  readonly onFinished: () => void;
}

/** Sends user messages. The input stays open until the last result: it also carries answers to requests. */
export class InputPump {
  /** Ids of messages that control requests send. */
  readonly steered = new Set<string>();
  readonly #options: InputPumpOptions;
  readonly #opened = Promise.withResolvers<void>();
  readonly #sources = new Set<AsyncIterator<SDKUserMessage>>();
  #unanswered = 0;
  #ended = false;
  #finished = false;
  #stopped = false;
  #room: PromiseWithResolvers<void> | undefined;

  constructor(options: InputPumpOptions) {
    this.#options = options;
  }

  get unanswered(): number {
    return this.#unanswered;
  }

  get finished(): boolean {
    return this.#finished;
  }

  open(): void {
    this.#opened.resolve();
  }

  sendPrompt(prompt: Prompt): Promise<void> {
    if (typeof prompt !== 'string') return this.sendAll(prompt);
    const sent = this.send(toUserMessage(prompt));
    this.end();
    return sent;
  }

  /** Not limited by the queue. Rejects with `channel_closed` after the end. */
  async send(message: SDKUserMessage): Promise<void> {
    this.#assertOpen();
    this.#unanswered += 1;
    await this.#opened.promise;
    if (!this.#stopped) await this.#options.send(message);
  }

  /**
   * Resolves when the last message is sent. Rejects with the source's error, `invalid_message` and `channel_closed`.
   */
  async sendAll(messages: AsyncIterable<SDKUserMessage>): Promise<void> {
    this.#assertOpen();
    const source = messages[Symbol.asyncIterator]();
    this.#sources.add(source);
    let isDone = false;
    try {
      await this.#opened.promise;
      while (!this.#ended) {
        const { done, value } = await source.next();
        isDone = done === true;
        if (isDone || this.#ended) break;
        const message = readUserMessage(value);
        while (this.#unanswered >= MAX_QUEUED_PROMPTS && !this.#stopped) {
          this.#room ??= Promise.withResolvers();
          await this.#room.promise;
        }
        if (this.#stopped) break;
        this.#unanswered += 1;
        await this.#options.send(message);
      }
    } finally {
      // `end()` has released the others.
      if (this.#sources.delete(source) && !isDone) void release(source);
      this.#finishWhenIdle();
    }
  }

  expectTurn(): void {
    this.#assertOpen();
    this.#unanswered += 1;
  }

  /** Messages already taken are still sent and answered. */
  end(): void {
    this.#ended = true;
    for (const source of this.#sources) void release(source);
    this.#sources.clear();
    this.#finishWhenIdle();
  }

  answered(): void {
    this.#unanswered = Math.max(0, this.#unanswered - 1);
    this.#makeRoom();
    this.#finishWhenIdle();
  }

  /** A running turn took the message if it has a priority: it has no result. */
  taken({ uuid, priority }: SDKUserMessage): void {
    if (priority != null && !this.steered.delete(uuid ?? '')) this.answered();
  }

  stop(): void {
    this.#stopped = true;
    this.#finished = true;
    this.end();
    this.#opened.resolve();
    this.#makeRoom();
  }

  #assertOpen(): void {
    if (this.#ended || this.#finished)
      throw new AgentError('channel_closed', 'Input stream closed: the input of this query has ended.');
  }

  #makeRoom(): void {
    this.#room?.resolve();
    this.#room = undefined;
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

/** Do not await it: a suspended generator may never return. */
async function release(source: AsyncIterator<SDKUserMessage>): Promise<void> {
  try {
    await source.return?.();
  } catch {
    // The source is no longer needed.
  }
}
