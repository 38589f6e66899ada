import type { ModelMessage } from '@qwen/models';
import { AgentError } from '@qwen/protocol';
import { textTokens, toolTokens } from '../../conversation/context-usage.js';
import type { AgentEvent } from '../../events.js';
import { toHookContext, toPlainHookText } from '../hooks/hook-text.js';
import { runHooks } from '../hooks/run-hooks.js';
import { parentOf, type TurnContext } from '../turn-context.js';
import { readCarryOver, renderHead } from './carry-over.js';
import { type CompactionPlan, planCompaction } from './plan.js';
import { type SummaryRequest, summarize } from './summarize.js';
import { toTranscript } from './transcript.js';

/** In characters. */
const WORK_LIST_LENGTH = 8_000;

export type CompactionTrigger = 'auto' | 'manual';

export interface PreparedCompaction {
  readonly plan: CompactionPlan;
  readonly head: string;
  readonly trigger: CompactionTrigger;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

export interface CompactionSizes {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

type Summarizer = (request: SummaryRequest, context: TurnContext) => AsyncGenerator<AgentEvent, string>;

/**
 * Undefined if not worthwhile. Throws `hook_blocked`, `aborted`, errors of the model, and `bad_model_response` for a
 * summary that would not make the conversation shorter.
 */
export async function* prepareCompaction(
  context: TurnContext,
  trigger: CompactionTrigger,
  summarizer: Summarizer = summarize,
): AsyncGenerator<AgentEvent, PreparedCompaction | undefined> {
  const { history, control, windows, settings, systemPrompt } = context;
  const { model, tools } = settings();
  const window = windows.of(model);
  const counted = history.usedTokens;
  const plan = planCompaction(history.closeOpenCalls(), window, textTokens(systemPrompt) + toolTokens(tools));
  if (plan === undefined) return undefined;
  const { block, additionalContext } = await runHooks({ event: 'PreCompact', trigger }, context);
  if (control.signal.aborted) throw new AgentError('aborted', 'The compaction was interrupted.');
  if (block !== undefined) {
    throw new AgentError('hook_blocked', `A hook blocked the compaction: ${toPlainHookText(block.reason)}`);
  }
  const hookContext = additionalContext ? toHookContext('PreCompact', additionalContext) : '';
  const summary = yield* summarizer({ messages: plan.older, hookContext, window }, context);
  const carried = readCarryOver(plan.older);
  const head = [renderHead(carried, summary, plan.requestRoom), await sessionStartContext(context)]
    .filter(Boolean)
    .join('\n\n');
  const headTokens = textTokens(head);
  if (headTokens >= plan.olderTokens) {
    throw new AgentError('bad_model_response', 'The summary is longer than what it would replace.');
  }
  if (!carried.requests.every((request) => head.includes(request))) {
    const message =
      `Your messages do not fit into the context window of ${model}, so the longest were shortened. ` +
      'Use a model with a larger window, or put the text into a file that the agent can read.';
    yield { type: 'notice', code: 'requests_shortened', message, parentToolUseId: parentOf(context) };
  }
  const tokensBefore = Math.max(counted ?? 0, plan.olderTokens + plan.keptTokens);
  return { plan, head, trigger, tokensBefore, tokensAfter: tokensBefore - plan.olderTokens + headTokens };
}

/** A {@link Summarizer} without a model. */
// oxlint-disable-next-line require-yield -- it emits no events.
export async function* listWork({
  messages,
}: {
  readonly messages: readonly ModelMessage[];
}): AsyncGenerator<never, string> {
  return `No summary was possible. Start and end of the transcript:\n${toTranscript(messages, WORK_LIST_LENGTH)}`;
}

/** Rejects with an error of the log. */
export async function* applyCompaction(
  { plan, head, trigger, tokensBefore, tokensAfter }: PreparedCompaction,
  context: TurnContext,
): AsyncGenerator<AgentEvent, CompactionSizes> {
  const { record, clock, tally } = context;
  await record({
    type: 'compaction',
    at: clock.isoTime(),
    trigger,
    summary: head,
    kept_messages: plan.kept.length,
    tokens_before: tokensBefore,
    tokens_after: tokensAfter,
    ...(trigger === 'manual' && { usage: tally.usage }),
  });
  yield { type: 'compacted', trigger, tokensBefore, tokensAfter, parentToolUseId: parentOf(context) };
  return { tokensBefore, tokensAfter };
}

async function sessionStartContext(context: TurnContext): Promise<string> {
  if (context.subagent !== undefined) return '';
  const { additionalContext = '' } = await runHooks({ event: 'SessionStart', source: 'compact' }, context);
  return additionalContext.trim() === '' ? '' : toHookContext('SessionStart', additionalContext);
}
