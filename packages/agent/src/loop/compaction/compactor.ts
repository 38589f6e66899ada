import { AgentError } from '@qwen/protocol';
import type { AgentEvent } from '../../events.js';
import { parentOf, type TurnContext } from '../turn-context.js';
import { applyCompaction, type PreparedCompaction, prepareCompaction, windowOf } from './compact.js';

/** How full a window may be before the older part of the conversation is summed up. */
const FULL_SHARE = 0.8;

/**
 * Keeps the conversation of one agent small enough for its model (GAP-59): the older part becomes a summary, the last
 * steps stay. A summary that fails or that a hook does not want leaves everything as it was, is told, and is not tried
 * again in this turn.
 */
export class Compactor {
  readonly #context: TurnContext;
  #hasGivenUp = false;

  constructor(context: TurnContext) {
    this.#context = context;
  }

  /** Before a model call: sums up when the window is nearly full by what the provider counted. */
  async *makeRoom(): AsyncGenerator<AgentEvent, void> {
    const used = this.#context.history.usedTokens;
    const window = windowOf(this.#context);
    if (used === undefined || window === undefined || used < window * FULL_SHARE) return;
    yield* this.#compact();
  }

  /** After the provider refused a conversation as too long. True when it is shorter now. */
  async *afterOverflow(): AsyncGenerator<AgentEvent, boolean> {
    const wasShortened = yield* this.#compact();
    this.#hasGivenUp = true;
    return wasShortened;
  }

  async *#compact(): AsyncGenerator<AgentEvent, boolean> {
    if (this.#hasGivenUp) return false;
    const compaction = yield* this.#prepare();
    if (compaction === undefined) return false;
    yield* applyCompaction(compaction, this.#context);
    return true;
  }

  /** Undefined when there is no summary: an interrupt ends the turn by itself, any other failure is told. */
  async *#prepare(): AsyncGenerator<AgentEvent, PreparedCompaction | undefined> {
    const context = this.#context;
    try {
      return yield* prepareCompaction(context, 'auto');
    } catch (thrown) {
      if (context.control.signal.aborted) return undefined;
      this.#hasGivenUp = true;
      const error = AgentError.from(thrown);
      const code = error.code === 'hook_blocked' ? 'compaction_blocked' : 'compaction_failed';
      const message = `The conversation was not summed up. ${error.message}`;
      yield { type: 'notice', code, message, parentToolUseId: parentOf(context) };
      return undefined;
    }
  }
}
