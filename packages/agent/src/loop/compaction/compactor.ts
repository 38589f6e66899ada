import type { ModelMessage } from '@qwen/models';
import { AgentError } from '@qwen/protocol';
import type { AgentEvent } from '../../events.js';
import { textTokens } from '../../session/context-usage.js';
import { askHooks } from '../hooks/ask-hooks.js';
import { toHookContext, toPlainText } from '../hooks/hook-text.js';
import { parentOf, type TurnContext } from '../turn-context.js';
import { knownWindow } from './context-window.js';
import { type CompactionPlan, planCompaction } from './plan.js';
import { summarise } from './summarise.js';
import { cutMiddle, textOf } from './transcript.js';

/** How full a window may be before the older part of the conversation is summed up. */
const FULL_SHARE = 0.8;
/** Characters of the last prompt that stay word for word when it is in the older part. */
const MAX_PROMPT = 8_000;

/**
 * Keeps the conversation of one agent small enough for its model (GAP-59): the older part becomes a summary, the last
 * steps stay. A summary that fails or that a hook does not want leaves everything as it was, is told, and is not tried
 * again in this turn.
 */
export class Compactor {
  readonly #context: TurnContext;
  #isGivenUp = false;

  constructor(context: TurnContext) {
    this.#context = context;
  }

  /** Before a model call: sums up when the window is nearly full by what the provider counted. */
  async *makeRoom(): AsyncGenerator<AgentEvent, void> {
    const used = this.#context.conversation.windowTokens;
    const window = this.#window;
    if (used === undefined || window === undefined || used < window * FULL_SHARE) return;
    yield* this.#compact(used);
  }

  /** After the provider refused a conversation as too long. True when it is shorter now. */
  async *afterOverflow(): AsyncGenerator<AgentEvent, boolean> {
    const wasShortened = yield* this.#compact(this.#context.conversation.windowTokens);
    this.#isGivenUp = true;
    return wasShortened;
  }

  get #window(): number | undefined {
    const { contextWindow, settings } = this.#context;
    return contextWindow ?? knownWindow(settings().model);
  }

  async *#compact(counted: number | undefined): AsyncGenerator<AgentEvent, boolean> {
    if (this.#isGivenUp) return false;
    const context = this.#context;
    const plan = planCompaction(context.conversation.close());
    if (plan === undefined) return false;
    const { block, additionalContext } = await askHooks({ event: 'PreCompact', trigger: 'auto' }, context);
    if (context.control.signal.aborted) return false;
    if (block !== undefined) {
      return yield* this.#giveUp('compaction_blocked', `A hook does not want it: ${toPlainText(block.reason)}`);
    }
    const wishes = additionalContext ? toHookContext('PreCompact', additionalContext) : '';
    const summary = yield* this.#summarise(plan, wishes);
    if (summary === undefined) return false;
    yield* this.#replace(plan, { summary: await this.#complete(summary, plan), counted });
    return true;
  }

  /** Undefined when there is none: an interrupt ends the turn by itself, any other failure is told. */
  async *#summarise({ older }: CompactionPlan, wishes: string): AsyncGenerator<AgentEvent, string | undefined> {
    try {
      return yield* summarise({ messages: older, wishes, window: this.#window }, this.#context);
    } catch (thrown) {
      if (!this.#context.control.signal.aborted) {
        yield* this.#giveUp('compaction_failed', AgentError.from(thrown).message);
      }
      return undefined;
    }
  }

  async *#replace(
    { kept, olderTokens, keptTokens }: CompactionPlan,
    { summary, counted = olderTokens + keptTokens }: { readonly summary: string; readonly counted: number | undefined },
  ): AsyncGenerator<AgentEvent, void> {
    const { record, clock, subagent } = this.#context;
    const tokensAfter = Math.max(keptTokens, counted - olderTokens) + textTokens(summary);
    await record({
      type: 'compaction',
      at: clock.isoTime(),
      trigger: 'auto',
      summary,
      kept_messages: kept.length,
      tokens_before: counted,
      tokens_after: tokensAfter,
    });
    const parentToolUseId = subagent?.parentToolUseId ?? null;
    yield { type: 'compacted', trigger: 'auto', tokensBefore: counted, tokensAfter, parentToolUseId };
  }

  /** What the model reads instead of the older part. */
  async #complete(summary: string, { older, kept }: CompactionPlan): Promise<string> {
    const context = this.#context;
    const text = `<conversation-summary>\nThe earlier part of this conversation, summed up:\n${summary}\n</conversation-summary>`;
    const isPromptKept = kept.some(({ role }) => role === 'user');
    const prompt = isPromptKept ? '' : lastPrompt(older);
    const request = prompt === '' ? '' : `The last request, word for word:\n${cutMiddle(prompt, MAX_PROMPT)}`;
    if (context.subagent !== undefined) return [text, request].filter(Boolean).join('\n\n');
    const { additionalContext = '' } = await askHooks({ event: 'SessionStart', source: 'compact' }, context);
    const facts = additionalContext.trim() === '' ? '' : toHookContext('SessionStart', additionalContext);
    return [text, facts, request].filter(Boolean).join('\n\n');
  }

  async *#giveUp(code: string, why: string): AsyncGenerator<AgentEvent, false> {
    this.#isGivenUp = true;
    const message = `The conversation was not summed up. ${why}`;
    yield { type: 'notice', code, message, parentToolUseId: parentOf(this.#context) };
    return false;
  }
}

function lastPrompt(messages: readonly ModelMessage[]): string {
  const prompt = messages.findLast(({ role }) => role === 'user');
  return prompt?.role === 'user' ? textOf(prompt.content) : '';
}
