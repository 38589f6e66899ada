import { AgentError } from '@qwen/protocol';
import { messageTokens, textTokens, toolTokens } from '../../conversation/context-usage.js';
import { fitResults } from '../../conversation/fit-results.js';
import type { AgentEvent } from '../../events.js';
import { parentOf, type TurnContext } from '../turn-context.js';
import type { PreparedCompaction } from './compact.js';

const loadCompaction = () => import('./compact.js');

const FULL_SHARE = 0.8;
/** Each refusal for length lowers the known window; after this many without an answer the error is reported. */
const MAX_OVERFLOWS = 3;

/**
 * Keeps a conversation within the window of its model. A summary that fails or is blocked changes nothing, is
 * reported, and is not retried in this turn before the conversation became shorter without one.
 */
export class Compactor {
  readonly #context: TurnContext;
  #hasGivenUp = false;
  #overflows = 0;

  constructor(context: TurnContext) {
    this.#context = context;
  }

  async *makeRoom(model: string): AsyncGenerator<AgentEvent, void> {
    const { windows } = this.#context;
    const used = this.#usedTokens(model);
    windows.lookUp(model, used);
    if (used < windows.of(model) * FULL_SHARE) return;
    // Some providers cut what is too long without an error.
    const isTooLong = used >= (windows.known(model) ?? Number.POSITIVE_INFINITY);
    yield* this.#apply((yield* this.#prepare()) ?? (isTooLong ? yield* this.#prepareWithoutSummary() : undefined));
  }

  noteAnswer(model: string, answering: string): void {
    this.#overflows = 0;
    this.#context.windows.noteAnswer(model, answering);
  }

  /** Whether the next request is shorter than the refused one. */
  async *afterOverflow(model: string, refusal: string): AsyncGenerator<AgentEvent, boolean> {
    const { windows } = this.#context;
    this.#overflows += 1;
    if (this.#overflows > MAX_OVERFLOWS) return false;
    const before = this.#estimate(model);
    windows.learn(model, refusal, Math.max(before, this.#context.history.usedTokens ?? 0));
    yield* this.#apply((yield* this.#prepare()) ?? (yield* this.#prepareWithoutSummary()));
    return this.#estimate(model) < before;
  }

  async *#prepare(): AsyncGenerator<AgentEvent, PreparedCompaction | undefined> {
    if (this.#hasGivenUp) return undefined;
    const { prepareCompaction } = await loadCompaction();
    try {
      return yield* prepareCompaction(this.#context, 'auto');
    } catch (thrown) {
      if (this.#context.control.signal.aborted) return undefined;
      this.#hasGivenUp = true;
      const error = AgentError.from(thrown);
      const code = error.code === 'hook_blocked' ? 'compaction_blocked' : 'compaction_failed';
      const message = `The conversation was not compacted. ${error.message}`;
      yield { type: 'notice', code, message, parentToolUseId: parentOf(this.#context) };
      return undefined;
    }
  }

  /** The request cannot be sent as it is, and no model could summarize it: lists the calls instead. */
  async *#prepareWithoutSummary(): AsyncGenerator<AgentEvent, PreparedCompaction | undefined> {
    if (!this.#hasGivenUp || this.#context.control.signal.aborted) return undefined;
    const { listWork, prepareCompaction } = await loadCompaction();
    try {
      const prepared = yield* prepareCompaction(this.#context, 'auto', listWork);
      if (prepared !== undefined) this.#hasGivenUp = false;
      return prepared;
    } catch {
      return undefined;
    }
  }

  async *#apply(compaction: PreparedCompaction | undefined): AsyncGenerator<AgentEvent, void> {
    if (compaction === undefined) return;
    const { applyCompaction } = await loadCompaction();
    yield* applyCompaction(compaction, this.#context);
  }

  /** What the provider counted, unless that is implausibly low, else an estimate. */
  #usedTokens(model: string): number {
    const { history, windows } = this.#context;
    const estimate = this.#estimate(model);
    if (history.counted === undefined) return estimate;
    const { tokens, messages } = history.counted;
    const added = fitResults(history.snapshot().slice(messages), windows.of(model));
    return Math.max(sum(added.map(messageTokens)) + tokens, estimate / 2);
  }

  #estimate(model: string): number {
    const { history, systemPrompt, settings, windows } = this.#context;
    const messages = fitResults(history.snapshot(), windows.of(model));
    return textTokens(systemPrompt) + toolTokens(settings().tools) + sum(messages.map(messageTokens));
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
