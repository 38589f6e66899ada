import type { FinishReason, Model, ModelPart, ModelRequest } from '@qwen/models';
import { AgentError, NO_USAGE, type Usage } from '@qwen/protocol';
import type { AgentEvent, AssistantBlock, StopReason } from '../events.js';
import { AbortableReader } from './abortable.js';
import { AnswerBuilder, type AnswerOrigin, type RequestedCall } from './answer-builder.js';
import { AnswerUsage } from './answer-usage.js';
import { parentOf, type TurnContext } from './turn-context.js';

export interface Answer {
  readonly messageId: string;
  readonly model: string;
  readonly content: readonly AssistantBlock[];
  readonly text: string;
  readonly calls: readonly RequestedCall[];
  readonly stopReason: StopReason;
  readonly usage: Usage;
  readonly started: boolean;
  /** The answer is incomplete: its text is kept, its calls must not run. */
  readonly failure?: AgentError;
}

type Ending =
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly usage: Usage }
  | { readonly type: 'failure'; readonly error: AgentError; readonly usage?: Usage }
  | { readonly type: 'interrupted' };

export interface ModelCall {
  readonly model: Model;
  readonly request: ModelRequest;
  /** Another model answers if this one fails. */
  readonly hasFallback: boolean;
}

/**
 * Makes one model call and emits its events up to the last `block_end`. The caller records the answer and emits
 * `message_end`. An answer that breaks off and is retried ends here, unrecorded. Returns soon after an abort.
 */
export async function* runTurn(call: ModelCall, context: TurnContext): AsyncGenerator<AgentEvent, Answer> {
  const { model, request, hasFallback } = call;
  const { control, tally, clock } = context;
  let { messageId, origin, answer } = beginAnswer(context);
  let modelName = request.model;
  let started = false;
  let ending: Ending | undefined;
  const { signal } = control;
  const spent = new AnswerUsage(request, signal);
  using parts = new AbortableReader(model.stream(request, { signal, hasFallback, onUsage: spent.note }), signal);
  tally.countModelCall();
  while (ending === undefined) {
    const askedAtMs = clock.nowMs();
    const part = await nextPart(parts);
    tally.addApiTime(clock.nowMs() - askedAtMs);
    if (part === 'aborted') {
      ending = { type: 'interrupted' };
    } else if (part.type === 'retry') {
      if (started) {
        yield* answer.end();
        const usage = countSpent(spent.soFar(answer.content), { request, modelName }, context);
        yield* discard({ messageId, model: modelName, content: answer.content, usage }, context);
        ({ messageId, origin, answer } = beginAnswer(context));
        started = false;
      }
      spent.follow(part);
      yield toRetryEvent(part, context);
    } else if (part.type === 'finish' || part.type === 'failure') {
      ending = toEnding(part, control.signal);
    } else {
      if (part.type === 'start') modelName = part.model ?? modelName;
      if (!started) yield { type: 'message_start', ...origin, model: modelName };
      started = true;
      spent.follow(part);
      if (part.type !== 'start') yield* answer.add(part);
    }
  }
  yield* answer.end();
  const usage = countSpent(usageOf(ending, { spent, answer, started }), { request, modelName }, context);
  if (ending.type === 'finish')
    countUnlessGiven(usage, () => spent.soFar(answer.content), { model: request.model, context });
  const { content, text, calls } = answer;
  const stopReason = toStopReason(ending, calls.length > 0);
  const failure = ending.type === 'failure' ? { failure: ending.error } : {};
  return { messageId, model: modelName, content, text, calls, stopReason, usage, started, ...failure };
}

/** A failure before the answer costs nothing, unless the provider counted it. */
function usageOf(
  ending: Ending,
  {
    spent,
    answer,
    started,
  }: { readonly spent: AnswerUsage; readonly answer: AnswerBuilder; readonly started: boolean },
): Usage {
  if (ending.type === 'finish') return ending.usage;
  if (ending.type === 'failure' && !spent.isCounted && ending.usage !== undefined) return ending.usage;
  return ending.type === 'interrupted' || started || spent.isCounted ? spent.soFar(answer.content) : NO_USAGE;
}

function countSpent(
  spent: Usage,
  { request, modelName }: { readonly request: ModelRequest; readonly modelName: string },
  context: TurnContext,
): Usage {
  const usage = withCost([request.model, modelName], spent, context);
  context.tally.addUsage(request.model, usage);
  return usage;
}

/** Limits apply to the estimate of an answer without usage. */
export function countUnlessGiven(
  given: Usage,
  estimate: () => Usage,
  { model, context }: { readonly model: string; readonly context: TurnContext },
): void {
  if (given.input_tokens + given.output_tokens > 0) return;
  context.tally.noteUncounted(withCost([model], estimate(), context));
}

/** What the provider states is exact. The first model with a price counts: a router has none, the one it chose may. */
export function withCost(models: readonly string[], usage: Usage, { prices }: Pick<TurnContext, 'prices'>): Usage {
  if (usage.cost_usd !== undefined || usage.input_tokens + usage.output_tokens === 0) return usage;
  const [cost] = models.flatMap((model) => prices?.costOf(model, usage) ?? []);
  return cost === undefined ? usage : { ...usage, cost_usd: cost };
}

function beginAnswer(context: TurnContext): {
  messageId: string;
  origin: AnswerOrigin;
  answer: AnswerBuilder;
} {
  const messageId = crypto.randomUUID();
  const origin = { messageId, parentToolUseId: parentOf(context) };
  return { messageId, origin, answer: new AnswerBuilder(origin, (wanted) => context.history.claimCallId(wanted)) };
}

/**
 * Ends a message that broke off and is neither recorded nor kept in the history. Its calls never existed: they and
 * what follows them are left out.
 */
export function* discard(
  { messageId, model, content, usage }: Pick<Answer, 'messageId' | 'model' | 'content' | 'usage'>,
  context: TurnContext,
): Generator<AgentEvent> {
  const firstCall = content.findIndex(({ type }) => type === 'tool_use');
  const kept = firstCall < 0 ? content : content.slice(0, firstCall);
  const parentToolUseId = parentOf(context);
  yield { type: 'message_end', messageId, model, content: kept, stopReason: 'error', usage, parentToolUseId };
  const message = 'The answer broke off and is discarded.';
  yield { type: 'notice', code: 'answer_discarded', message, data: { message_id: messageId }, parentToolUseId };
}

export function toRetryEvent(part: Extract<ModelPart, { type: 'retry' }>, context: TurnContext): AgentEvent {
  const { attempt, delayMs, error } = part;
  return { type: 'retry', attempt, delayMs, error, parentToolUseId: parentOf(context) };
}

/** A model that throws or stops without an end counts as failed. */
async function nextPart(parts: AbortableReader<ModelPart>): Promise<ModelPart | 'aborted'> {
  try {
    const step = await parts.next();
    if (step.aborted) return 'aborted';
    return step.value ?? toFailure(new AgentError('stream_interrupted', 'The answer stopped without an end.'));
  } catch (thrown) {
    return toFailure(AgentError.from(thrown, 'provider_error'));
  }
}

function toFailure(error: AgentError): ModelPart {
  return { type: 'failure', error };
}

function toEnding(part: Extract<ModelPart, { type: 'finish' | 'failure' }>, signal: AbortSignal): Ending {
  if (part.type === 'finish') return part;
  // A model reports our abort as a failure.
  return signal.aborted ? { type: 'interrupted' } : part;
}

function toStopReason(ending: Ending, hasCalls: boolean): StopReason {
  if (ending.type === 'interrupted') return 'interrupted';
  if (ending.type === 'failure') return 'error';
  const { reason } = ending;
  if (reason === 'stop' || reason === 'tool_calls') return hasCalls ? 'tool_use' : 'end_turn';
  return reason === 'length' ? 'max_tokens' : reason;
}
