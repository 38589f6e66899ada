import type { ModelMessage } from '@qwen/models';
import { AgentError } from '@qwen/protocol';
import { textTokens } from '../../conversation/context-usage.js';
import type { AgentEvent } from '../../events.js';
import { toHookContext, toPlainHookText } from '../hooks/hook-text.js';
import { runHooks } from '../hooks/run-hooks.js';
import { parentOf, type TurnContext } from '../turn-context.js';
import { knownWindow } from './context-window.js';
import { type CompactionPlan, planCompaction } from './plan.js';
import { summarize } from './summarize.js';
import { cutMiddle, textOf } from './transcript.js';

const MAX_PROMPT = 8_000;

export type CompactionTrigger = 'auto' | 'manual';

export interface PreparedCompaction {
  readonly plan: CompactionPlan;
  readonly summary: string;
  readonly trigger: CompactionTrigger;
  readonly tokensBefore: number;
}

export interface CompactionSizes {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

export function windowOf({ contextWindow, settings }: TurnContext): number | undefined {
  return contextWindow ?? knownWindow(settings().model);
}

/** Throws `hook_blocked`, `aborted` and errors of the model. Undefined if not worthwhile. */
export async function* prepareCompaction(
  context: TurnContext,
  trigger: CompactionTrigger,
): AsyncGenerator<AgentEvent, PreparedCompaction | undefined> {
  const { history, control } = context;
  const counted = history.usedTokens;
  const plan = planCompaction(history.closeOpenCalls());
  if (plan === undefined) return undefined;
  const { block, additionalContext } = await runHooks({ event: 'PreCompact', trigger }, context);
  if (control.signal.aborted) throw new AgentError('aborted', 'The compaction was interrupted.');
  if (block !== undefined) {
    throw new AgentError('hook_blocked', `A hook blocked the compaction: ${toPlainHookText(block.reason)}`);
  }
  const hookContext = additionalContext ? toHookContext('PreCompact', additionalContext) : '';
  const words = yield* summarize({ messages: plan.older, hookContext, window: windowOf(context) }, context);
  const summary = await complete(words, plan, context);
  return { plan, summary, trigger, tokensBefore: counted ?? plan.olderTokens + plan.keptTokens };
}

/** Rejects with an error of the log. */
export async function* applyCompaction(
  { plan, summary, trigger, tokensBefore }: PreparedCompaction,
  context: TurnContext,
): AsyncGenerator<AgentEvent, CompactionSizes> {
  const { record, clock, tally } = context;
  const tokensAfter = Math.max(plan.keptTokens, tokensBefore - plan.olderTokens) + textTokens(summary);
  await record({
    type: 'compaction',
    at: clock.isoTime(),
    trigger,
    summary,
    kept_messages: plan.kept.length,
    tokens_before: tokensBefore,
    tokens_after: tokensAfter,
    ...(trigger === 'manual' && { usage: tally.usage }),
  });
  yield { type: 'compacted', trigger, tokensBefore, tokensAfter, parentToolUseId: parentOf(context) };
  return { tokensBefore, tokensAfter };
}

async function complete(summary: string, { older, kept }: CompactionPlan, context: TurnContext): Promise<string> {
  const text = `<conversation-summary>\nThe earlier part of this conversation, summed up:\n${summary}\n</conversation-summary>`;
  const isPromptKept = kept.some(({ role }) => role === 'user');
  const prompt = isPromptKept ? '' : lastPrompt(older);
  const request = prompt === '' ? '' : `The last request, word for word:\n${cutMiddle(prompt, MAX_PROMPT)}`;
  if (context.subagent !== undefined) return [text, request].filter(Boolean).join('\n\n');
  const { additionalContext = '' } = await runHooks({ event: 'SessionStart', source: 'compact' }, context);
  const facts = additionalContext.trim() === '' ? '' : toHookContext('SessionStart', additionalContext);
  return [text, facts, request].filter(Boolean).join('\n\n');
}

function lastPrompt(messages: readonly ModelMessage[]): string {
  const prompt = messages.findLast(({ role }) => role === 'user');
  return prompt?.role === 'user' ? textOf(prompt.content) : '';
}
