import type { SDKUserMessage } from '@qwen/protocol';
import type { BackgroundTask, ContinuedTurn, RewindFilesResult } from './control-results.js';
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
   * first: send it with {@link streamInput} then. Aborting `signal` withdraws the message and rejects with `cancelled`.
   * Rejects with `overloaded` if too many messages are waiting. A slash command is never taken, and `@` references are
   * not expanded.
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

  /** The commands that run or ran in the background, oldest first. */
  async listTasks(): Promise<BackgroundTask[]> {
    return (await this.#connection.request('list_tasks', {})).tasks;
  }

  /** The last 256 KiB of a command's output. Rejects with `task_not_found` if there is no such command. */
  async taskOutput(taskId: string): Promise<string> {
    return (await this.#connection.request('get_task_output', { task_id: taskId })).output;
  }

  /**
   * Stops a command in the background with all its processes. Resolves when it has ended, also if it had before.
   * Rejects with `task_not_found` if there is no such command.
   *
   * @example
   * for (const { task_id } of await running.listTasks()) await running.stopTask(task_id);
   */
  async stopTask(taskId: string): Promise<void> {
    await this.#connection.request('stop_task', { task_id: taskId });
  }

  /**
   * Moves the commands of running calls to the background, or that of one call; the calls return, and the turn
   * continues. Resolves with whether one moved.
   */
  async backgroundTasks(toolUseId?: string): Promise<boolean> {
    const payload = toolUseId === undefined ? {} : { tool_use_id: toolUseId };
    return (await this.#connection.request('background_tasks', payload)).moved > 0;
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
