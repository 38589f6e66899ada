import type { SDKUserMessage } from '@qwen/protocol';
import type { ContinuedTurn, RewindFilesResult } from './control-results.js';
import type { QueryConnection } from './query-connection.js';

/** Options of `query.steer()`. */
export interface SteerOptions {
  /** `now` comes before `next`. Default `next`. */
  readonly priority?: 'now' | 'next';
  /** The id of the message in the conversation. Default: a new one. */
  readonly uuid?: string;
  /** Withdraws the message. */
  readonly signal?: AbortSignal;
}

/** The methods of a query about its turns. */
export abstract class TurnControls {
  readonly #connection: QueryConnection;

  constructor(connection: QueryConnection) {
    this.#connection = connection;
  }

  /** Stops the running turn; its result has the subtype `interrupted`. Without a running turn it does nothing. */
  async interrupt(): Promise<void> {
    await this.#connection.request('interrupt', {});
  }

  /**
   * Continues the turn that was cut short, without a new message; it gets its own result. If nothing is unfinished,
   * `accepted` is false and the answer has the reason. Rejects with `channel_closed` after the input has ended.
   */
  continueLastTurn(): Promise<ContinuedTurn> {
    return this.#connection.continueLastTurn();
  }

  /**
   * Adds a message to the running turn: the model reads it with its next call. Resolves with true once the turn has
   * taken it; a user message with its `uuid` marks the place. Resolves with false if no turn runs, or if the turn ends
   * first: send it with {@link streamInput} then. Aborting `signal` withdraws
   * the message and rejects with `cancelled`. Rejects with `overloaded` if too many messages wait. A slash command is
   * not taken, and `@` references are not expanded.
   *
   * @example
   * const isTaken = await running.steer('Leave the tests alone.');
   */
  async steer(
    content: SDKUserMessage['message']['content'],
    { uuid = crypto.randomUUID(), signal, ...how }: SteerOptions = {},
  ): Promise<boolean> {
    const { steered } = this.#connection.input;
    steered.add(uuid);
    const asked = this.#connection.request('steer', { uuid, content, ...how }, { signal, timeoutMs: 0 });
    const { taken: isTaken } = await asked;
    if (!isTaken) steered.delete(uuid);
    return isTaken;
  }

  /**
   * Restores the files that tools changed since a user message, as they were when it was sent; `dryRun` only reports.
   * Rejects with `session_busy` during a turn, `message_not_found`, and `usage` if no copies are kept.
   */
  rewindFiles(userMessageId: string, { dryRun = false } = {}): Promise<RewindFilesResult> {
    return this.#connection.request('rewind_files', { user_message_id: userMessageId, dry_run: dryRun });
  }

  /** Ends the conversation before a user message; resolves with its text. Rejects as {@link rewindFiles} does. */
  async rewindConversation(userMessageId: string): Promise<string> {
    return (await this.#connection.request('rewind_conversation', { user_message_id: userMessageId })).prompt;
  }
}
