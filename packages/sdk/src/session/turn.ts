import type { AgentError } from '@qwen/protocol';
import type { CommandResult, CompletionUsage, TurnSummary } from '@qwen/protocol/openai';
import type { QwenEvent, QwenEventIterator } from '../terminal/events.js';
import type { CancelAnswer } from './answers.js';

/** Outcome of a turn. */
export interface TurnResult {
  readonly sessionId: string;
  readonly promptId: string;
  /** The last answer of the model; empty if there is none. */
  readonly text: string;
  /** Tokens of all model calls of the turn; undefined if there were none. */
  readonly usage: CompletionUsage | undefined;
  /** Number of tool calls. */
  readonly toolCalls: number;
  /** As sent by the CLI; undefined if a slash command or a refusal ended the turn. */
  readonly summary: TurnSummary | undefined;
  /** Result of the slash command that ended the turn. */
  readonly command: CommandResult | undefined;
  /** The error of a failed turn. It is not thrown: the session continues. */
  readonly error: AgentError | undefined;
}

export interface TurnParts {
  readonly sessionId: string;
  readonly promptId: string;
  readonly result: Promise<TurnResult>;
  readonly read: () => QwenEventIterator;
  readonly cancel: () => Promise<CancelAnswer>;
}

/** One prompt and its answer. Reading the events is optional; to stop the turn, call {@link cancel}. */
export class Turn implements AsyncIterable<QwenEvent> {
  readonly sessionId: string;
  readonly promptId: string;
  /**
   * Resolves when the turn is over; a failed turn has an `error`. Rejects if the session ends first, for example with
   * `process_exited`, `timeout` or `channel_closed`.
   */
  readonly result: Promise<TurnResult>;
  readonly #parts: TurnParts;

  /** Use `prompt()` of a session. */
  constructor(parts: TurnParts) {
    this.sessionId = parts.sessionId;
    this.promptId = parts.promptId;
    this.result = parts.result;
    this.#parts = parts;
    // An app that only reads the events gets the failure from them.
    this.result.catch(() => undefined);
  }

  /** Stops the turn. The status is `noop` if it was over. */
  cancel(): Promise<CancelAnswer> {
    return this.#parts.cancel();
  }

  /**
   * The events of this turn in order, for one reader. Throws what `result` rejects with, and `overloaded` if reading
   * starts after more than 4 MiB of events.
   */
  [Symbol.asyncIterator](): QwenEventIterator {
    return this.#parts.read();
  }
}
