import type { Model, ModelRequest } from '@qwen/models';
import { AgentError } from '@qwen/protocol';
import type { AgentEvent, TurnOutcome } from '../events.js';
import type { AnyTool } from '../tool.js';
import { unlessAborted } from './abortable.js';
import { Compactor } from './compaction/compactor.js';
import { ModelOrder } from './fallback.js';
import { StopGate } from './hooks/stop-gate.js';
import { reportResult, runTools } from './run-tools.js';
import { type Answer, runTurn } from './run-turn.js';
import type { StructuredOutput } from './structured-output.js';
import { failed, NOT_RUN, toOutcome } from './tool-outcome.js';
import { parentOf, type TurnContext } from './turn-context.js';

/** How often in a row the model may try again after tool calls that did not arrive whole (F75). */
const MAX_BROKEN_CALL_RETRIES = 2;

const CUT_OFF =
  'The answer was cut off at the token limit, so nothing of it ran. Send a shorter call, or fewer at once.';
const BROKEN_OFF = 'The answer broke off, so this call did not run.';

/**
 * Calls the model and runs its tools until the model is quiet, and tells how that ended. Rejects only with the error
 * of the log. Leaves a conversation that the next prompt can go on from, whatever happened.
 */
export async function* runPrompt(context: TurnContext): AsyncGenerator<AgentEvent, TurnOutcome> {
  const { control, tally, maxModelCalls, budget, output } = context;
  const order = new ModelOrder(context);
  const gate = new StopGate();
  const compactor = new Compactor(context);
  let brokenInARow = 0;
  let isRenewed = false;
  for (;;) {
    if (control.signal.aborted) return interrupted(context);
    const limit = budget.reached();
    if (limit !== undefined) return { type: 'budget', limit };
    if (tally.modelCalls >= maxModelCalls) return { type: 'max_turns', limit: maxModelCalls };
    if (budget.isSet) yield { type: 'budget', remaining: budget.remaining() };
    yield* compactor.makeRoom();
    if (control.signal.aborted) return interrupted(context);
    const name = order.current;
    const model = await openModel(name, context);
    if ('type' in model) return model;
    const answer = yield* runTurn(model.model, createRequest(name, context), context);
    if (!isRenewed && isRefused(answer, context)) {
      isRenewed = true;
      context.dropModel(name);
      const message = 'The provider refused the credentials. They were read again, and it is asked once more.';
      yield { type: 'notice', code: 'credentials_refused', message };
      continue;
    }
    const error = order.passOn(answer, name);
    if (error !== undefined) {
      yield { type: 'model_fallback', from: name, to: order.current, error };
      continue;
    }
    yield* finishMessage(answer, context);
    if (isOverflow(answer) && (yield* compactor.afterOverflow())) continue;
    const broken = problemOf(answer);
    if (broken === undefined) yield* runTools(answer.calls, context);
    else yield* refuseCalls(answer, broken, context);

    if (control.signal.aborted) return interrupted(context);
    if (answer.failure !== undefined) return { type: 'error', error: answer.failure };
    if (answer.stopReason === 'content_filter') {
      return { type: 'error', error: new AgentError('content_filtered', 'The provider withheld the answer.') };
    }
    const isDone = answer.calls.length === 0 || output?.value !== undefined;
    const wanted = isDone ? (output?.remind() ?? (yield* gate.pass(context))) : undefined;
    if (control.signal.aborted) return interrupted(context);
    if (output?.failure !== undefined) return { type: 'error', error: output.failure };
    if (isDone && wanted === undefined) return succeeded(answer, output);
    if (wanted !== undefined) await say(wanted, context);
    brokenInARow = broken !== undefined || answer.calls.some((call) => call.error) ? brokenInARow + 1 : 0;
    if (brokenInARow > MAX_BROKEN_CALL_RETRIES) {
      const message = `The model sent ${brokenInARow} answers in a row with tool calls that were not whole.`;
      return { type: 'error', error: new AgentError('bad_model_response', message) };
    }
  }
}

/** Whether the provider refused the conversation as too long. */
function isOverflow({ failure, started }: Answer): boolean {
  return failure?.code === 'context_overflow' && !started;
}

/** Whether credentials that were good before are refused now: they may have run out (F64). */
function isRefused({ failure, started }: Answer, { conversation }: TurnContext): boolean {
  return failure?.code === 'auth_failed' && !started && conversation.soFar.some(({ role }) => role === 'assistant');
}

function succeeded({ text }: Answer, output: StructuredOutput | undefined): TurnOutcome {
  if (output === undefined) return { type: 'success', text };
  return { type: 'success', text: JSON.stringify(output.value), structured: output.value };
}

async function openModel(name: string, context: TurnContext): Promise<{ readonly model: Model } | TurnOutcome> {
  try {
    const settled = await unlessAborted(context.loadModel(name), context.control.signal);
    return settled.aborted ? interrupted(context) : { model: settled.value };
  } catch (thrown) {
    return { type: 'error', error: AgentError.from(thrown) };
  }
}

function createRequest(model: string, context: TurnContext): ModelRequest {
  const { settings, systemPrompt, conversation, sampling } = context;
  const { tools, effort } = settings();
  return {
    model,
    system: systemPrompt,
    messages: [...conversation.close()],
    tools: tools.map(declare),
    ...(effort !== undefined && { effort }),
    ...sampling,
  };
}

function declare({ name, description, inputSchema }: AnyTool): ModelRequest['tools'][number] {
  return { name, description, inputSchema };
}

/** Writes the answer down, then tells its end. An answer that says nothing leaves no trace in the conversation. */
async function* finishMessage(answer: Answer, context: TurnContext): AsyncGenerator<AgentEvent> {
  const { record, clock } = context;
  const { messageId, model, content, stopReason, usage, started } = answer;
  if (!started) return;
  if (content.length > 0) {
    await record({
      type: 'assistant',
      uuid: messageId,
      at: clock.isoTime(),
      model,
      content: [...content],
      stop_reason: stopReason,
      usage,
    });
  }
  yield { type: 'message_end', messageId, model, content, stopReason, usage, parentToolUseId: parentOf(context) };
}

/** Adds something to the conversation that the model reads as if a person said it. */
async function say(text: string, { record, clock }: TurnContext): Promise<void> {
  await record({ type: 'user', uuid: crypto.randomUUID(), at: clock.isoTime(), content: text });
}

/** Why the calls of this answer must not run, in words for the model; undefined when they may. */
function problemOf(answer: Answer): string | undefined {
  if (answer.stopReason === 'interrupted') return NOT_RUN;
  if (answer.failure !== undefined || answer.stopReason === 'content_filter') return BROKEN_OFF;
  return answer.stopReason === 'max_tokens' ? CUT_OFF : undefined;
}

async function* refuseCalls(answer: Answer, reason: string, context: TurnContext): AsyncGenerator<AgentEvent> {
  for (const call of answer.calls) yield* reportResult(toOutcome(call, failed(reason)), context);
}

/** How a turn ended that was stopped. */
export function interrupted({ control }: TurnContext): TurnOutcome {
  const { by, reason } = control.interruption ?? { by: 'shutdown', reason: 'The session was closed.' };
  return by === 'budget' ? { type: 'budget', limit: 'wallMs' } : { type: 'interrupted', by, reason };
}
