import type { AgentError } from '@qwen/protocol';
import type { CommandResult, CompletionUsage, TurnSummary } from '@qwen/protocol/openai';
import type { QwenEvent } from '../terminal/events.js';
import type { CancelAnswer } from './answers.js';

/** How a turn went. Durations are in milliseconds, tokens in OpenAI's words. */
export interface TurnResult {
  readonly sessionId: string;
  readonly promptId: string;
  /** The last words of the model; empty where it said none. */
  readonly text: string;
  /** Tokens of all model calls of the turn; undefined where it called none. */
  readonly usage: CompletionUsage | undefined;
  /** How many tools were called. */
  readonly toolCalls: number;
  /** As the CLI gives it; undefined where a slash command or a refusal ended the turn. */
  readonly summary: TurnSummary | undefined;
  /** What came of a slash command that ended the turn. */
  readonly command: CommandResult | undefined;
  /** What the turn failed with. It is told, not thrown: the session goes on. */
  readonly error: AgentError | undefined;
}

export interface TurnParts {
  readonly sessionId: string;
  readonly promptId: string;
  readonly result: Promise<TurnResult>;
  readonly read: () => AsyncIterableIterator<QwenEvent, undefined>;
  readonly cancel: () => Promise<CancelAnswer>;
}

/**
 * One prompt and what comes of it. The events may be read or not; the result comes in both cases. Leaving the loop early
 * does not stop the turn, {@link cancel} does.
 */
export class Turn implements AsyncIterable<QwenEvent> {
  readonly sessionId: string;
  readonly promptId: string;
  /**
   * Settles when the turn is over. A turn that failed resolves with `error`; it rejects with the reason when the process
   * went away before its end, such as `process_exited`, `timeout` and `channel_closed`.
   */
  readonly result: Promise<TurnResult>;
  readonly #parts: TurnParts;

  /** `prompt()` of a session makes one. */
  constructor(parts: TurnParts) {
    this.sessionId = parts.sessionId;
    this.promptId = parts.promptId;
    this.result = parts.result;
    this.#parts = parts;
    // Whoever reads only the events learns of a failure from them.
    this.result.catch(() => undefined);
  }

  /** Stops the turn, as Escape does. Resolves with `noop` when it was over. */
  cancel(): Promise<CancelAnswer> {
    return this.#parts.cancel();
  }

  /**
   * The events of this turn, in order; one reader. Throws what `result` rejects with, after the events that came before,
   * and `overloaded` to a reader that begins after 4 MiB went by unread.
   */
  [Symbol.asyncIterator](): AsyncIterableIterator<QwenEvent, undefined> {
    return this.#parts.read();
  }
}
