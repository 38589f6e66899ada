import type { SDKMessage, SDKResultMessage, SDKUserMessage } from '@qwen/protocol';
import { Conversation, type ConversationParts } from './conversation.js';
import { QueryVerbs } from './query-verbs.js';
import type { CloseOptions, TransportExit } from './transport/transport.js';

/** What to say: one prompt, or user messages as they come. */
export type Prompt = string | AsyncIterable<SDKUserMessage>;

/** A message of a query whose results hold an `Output`. */
export type QueryMessage<Output = unknown> =
  | Exclude<SDKMessage, SDKResultMessage>
  | (SDKResultMessage & { structured_output?: Output | undefined });

/**
 * A running agent: its messages, to be read with `for await`, and the verbs that steer it. `query()` makes one.
 *
 * The iteration ends when every prompt was answered and the CLI has left. It throws `AbortError` after an abort,
 * `process_exited` when the CLI goes away too early, and what the app's own prompt iterable throws. A result with
 * `is_error` is a message and no throw. Leaving the loop closes the query; afterwards no process is left.
 */
export class Query<Output = unknown> extends QueryVerbs implements AsyncGenerator<QueryMessage<Output>, void, unknown> {
  /** Settles when the CLI is ready; rejects with the reason when it will not be. It need not be awaited. */
  readonly initialized: Promise<void>;
  readonly #conversation: Conversation;

  /** Does no I/O; {@link start} does. Use `query()`, with the option `transport` if you bring one of your own. */
  constructor(parts: ConversationParts) {
    const conversation = new Conversation(parts);
    super(conversation);
    this.#conversation = conversation;
    this.initialized = conversation.initialized.then(() => undefined);
    this.initialized.catch(() => undefined);
  }

  /** Starts the CLI, and sends the prompt once it is ready; without one the CLI gets ready and waits. Call it once. */
  start(prompt?: Prompt): void {
    if (prompt !== undefined) this.say(prompt);
    this.#conversation.start();
  }

  /** Gives a query that was started without one its prompt. A string is the only one: the input ends behind it. */
  say(prompt: Prompt): void {
    this.#conversation.beginTrace();
    const { input } = this.#conversation;
    const said = typeof prompt === 'string' ? input.say(toUserMessage(prompt)) : input.add(prompt);
    if (typeof prompt === 'string') input.end();
    said.catch((error: unknown) => this.#conversation.failWith(error));
  }

  /**
   * The id of the session, as on the wire. Undefined until `initialized` when the CLI chooses it: with `continue`, and
   * with `forkSession` without `sessionId`.
   */
  get sessionId(): string | undefined {
    return this.#conversation.sessionId;
  }

  /** As {@link sessionId}, with an empty string where that is undefined. */
  getSessionId(): string {
    return this.sessionId ?? '';
  }

  /** The process id of the CLI; it stays after the process has ended. */
  get pid(): number | undefined {
    return this.#conversation.pid;
  }

  /**
   * When the CLI last said anything, in milliseconds since 1970; undefined before that. A long silence in a turn may be
   * a slow model; `ping()` tells whether the CLI itself is stuck (FB7).
   */
  get lastActivityAt(): number | undefined {
    return this.#conversation.lastActivityAt;
  }

  /** Settles when the CLI is gone, with how it went. Never rejects. */
  get closed(): Promise<TransportExit> {
    return this.#conversation.closed;
  }

  /** Whether the query is over, for whatever reason. */
  isClosed(): boolean {
    return this.#conversation.ended;
  }

  async next(): Promise<IteratorResult<QueryMessage<Output>, undefined>> {
    const item = await this.#conversation.next();
    // The conversation has held the result against the schema that `Output` was inferred from.
    return item as IteratorResult<QueryMessage<Output>, undefined>;
  }

  /** Closes the query; `break` in a `for await` calls it. */
  async return(): Promise<IteratorResult<QueryMessage<Output>, undefined>> {
    await this.close();
    return { done: true, value: undefined };
  }

  /** Closes the query and rejects with the error. */
  async throw(error?: unknown): Promise<IteratorResult<QueryMessage<Output>, undefined>> {
    await this.close();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /**
   * Ends the query: interrupts what runs, ends the CLI and drops messages that were not read; the iteration ends
   * without a throw. Resolves when the process is gone. Idempotent, never rejects.
   */
  async close(options?: CloseOptions): Promise<void> {
    await this.#conversation.close(options);
  }

  /** Sends further prompts, in order. Resolves when the last one was sent, not when it was answered. */
  streamInput(messages: AsyncIterable<SDKUserMessage>): Promise<void> {
    return this.#conversation.input.add(messages);
  }

  /** Takes no further prompts. Those that were sent are still answered; then the CLI leaves. */
  endInput(): void {
    this.#conversation.input.end();
  }
}

function toUserMessage(content: string): SDKUserMessage {
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null };
}
