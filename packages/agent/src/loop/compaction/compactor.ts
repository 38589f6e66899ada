import { AgentError } from '@qwen/protocol';
import type { AgentEvent } from '../../events.js';
import { parentOf, type TurnContext } from '../turn-context.js';
import { applyCompaction, type PreparedCompaction, prepareCompaction, windowOf } from './compact.js';

/** Share of the window that triggers compaction. */
const FULL_SHARE = 0.8;

/**
 * Keeps a conversation within the window of its model. A summary that fails or is blocked changes nothing, is
 * reported, and is not retried in this turn.
 */
export class Compactor {
  readonly #context: TurnContext;
  #hasGivenUp = false;

  constructor(context: TurnContext) {
    this.#context = context;
  }

  async *makeRoom(): AsyncGenerator<AgentEvent, void> {
    const used = this.#context.history.usedTokens;
    const window = windowOf(this.#context);
    if (used === undefined || window === undefined || used < window * FULL_SHARE) return;
    yield* this.#compact();
  }

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

  async *#prepare(): AsyncGenerator<AgentEvent, PreparedCompaction | undefined> {
    const context = this.#context;
    try {
      return yield* prepareCompaction(context, 'auto');
    } catch (thrown) {
      if (context.control.signal.aborted) return undefined;
      this.#hasGivenUp = true;
      const error = AgentError.from(thrown);
      const code = error.code === 'hook_blocked' ? 'compaction_blocked' : 'compaction_failed';
      const message = `The conversation was not compacted. ${error.message}`;
      yield { type: 'notice', code, message, parentToolUseId: parentOf(context) };
      return undefined;
    }
  }
}
