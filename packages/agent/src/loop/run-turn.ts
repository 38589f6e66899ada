import type { FinishReason, Model, ModelPart, ModelRequest } from '@qwen/models';
import { AgentError, NO_USAGE, type Usage } from '@qwen/protocol';
import type { AgentEvent, AssistantBlock, StopReason } from '../events.js';
import { AbortableReader } from './abortable.js';
import { AnswerBuilder, type RequestedCall } from './answer-builder.js';
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
  | { readonly type: 'failure'; readonly error: AgentError; readonly usage: Usage }
  | { readonly type: 'interrupted' };

/**
 * Makes one model call and emits its events up to the last `block_end`. The caller records the answer and emits
 * `message_end`. Returns soon after an abort.
 */
export async function* runTurn(
  model: Model,
  request: ModelRequest,
  context: TurnContext,
): AsyncGenerator<AgentEvent, Answer> {
  const { control, tally, clock } = context;
  const messageId = crypto.randomUUID();
  const origin = { messageId, parentToolUseId: parentOf(context) };
  const answer = new AnswerBuilder(origin, (wanted) => context.history.claimCallId(wanted));
  let modelName = request.model;
  let started = false;
  let ending: Ending | undefined;
  using parts = new AbortableReader(model.stream(request, { signal: control.signal }), control.signal);
  tally.countModelCall();
  while (ending === undefined) {
    const askedAtMs = clock.nowMs();
    const part = await nextPart(parts);
    tally.addApiTime(clock.nowMs() - askedAtMs);
    if (part === 'aborted') {
      ending = { type: 'interrupted' };
    } else if (part.type === 'retry') {
      yield { ...part, parentToolUseId: origin.parentToolUseId };
    } else if (part.type === 'finish' || part.type === 'failure') {
      ending = toEnding(part, control.signal);
    } else {
      if (part.type === 'start') modelName = part.model ?? modelName;
      if (!started) yield { type: 'message_start', ...origin, model: modelName };
      started = true;
      if (part.type !== 'start') yield* answer.add(part);
    }
  }
  yield* answer.end();
  const usage = ending.type === 'interrupted' ? NO_USAGE : ending.usage;
  tally.addUsage(usage);
  const { content, text, calls } = answer;
  const stopReason = toStopReason(ending, calls.length > 0);
  const failure = ending.type === 'failure' ? { failure: ending.error } : {};
  return { messageId, model: modelName, content, text, calls, stopReason, usage, started, ...failure };
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
  return signal.aborted ? { type: 'interrupted' } : { ...part, usage: part.usage ?? NO_USAGE };
}

function toStopReason(ending: Ending, hasCalls: boolean): StopReason {
  if (ending.type === 'interrupted') return 'interrupted';
  if (ending.type === 'failure') return 'error';
  const { reason } = ending;
  if (reason === 'stop' || reason === 'tool_calls') return hasCalls ? 'tool_use' : 'end_turn';
  return reason === 'length' ? 'max_tokens' : reason;
}
