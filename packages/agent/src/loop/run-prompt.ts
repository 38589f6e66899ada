import type { Model, ModelRequest } from '@qwen/models';
import { AgentError } from '@qwen/protocol';
import type { AgentEvent, TurnOutcome } from '../events.js';
import type { AnyTool } from '../tool.js';
import { unlessAborted } from './abortable.js';
import { reportResult, runTools } from './run-tools.js';
import { type Answer, runTurn } from './run-turn.js';
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
  const { control, tally, maxModelCalls } = context;
  let brokenInARow = 0;
  for (;;) {
    if (control.signal.aborted) return interrupted(context);
    if (tally.modelCalls >= maxModelCalls) return { type: 'max_turns', limit: maxModelCalls };
    const model = await openModel(context);
    if ('type' in model) return model;
    const answer = yield* runTurn(model.model, createRequest(context), context);
    yield* finishMessage(answer, context);
    const broken = problemOf(answer);
    if (broken === undefined) yield* runTools(answer.calls, context);
    else yield* refuseCalls(answer, broken, context);

    if (control.signal.aborted) return interrupted(context);
    if (answer.failure !== undefined) return { type: 'error', error: answer.failure };
    if (answer.stopReason === 'content_filter') {
      return { type: 'error', error: new AgentError('content_filtered', 'The provider withheld the answer.') };
    }
    if (answer.calls.length === 0) return { type: 'success', text: answer.text };
    brokenInARow = broken !== undefined || answer.calls.some((call) => call.error) ? brokenInARow + 1 : 0;
    if (brokenInARow > MAX_BROKEN_CALL_RETRIES) {
      const message = `The model sent ${brokenInARow} answers in a row with tool calls that were not whole.`;
      return { type: 'error', error: new AgentError('bad_model_response', message) };
    }
  }
}

async function openModel(context: TurnContext): Promise<{ readonly model: Model } | TurnOutcome> {
  try {
    const settled = await unlessAborted(context.loadModel(context.settings().model), context.control.signal);
    return settled.aborted ? interrupted(context) : { model: settled.value };
  } catch (thrown) {
    return { type: 'error', error: AgentError.from(thrown) };
  }
}

function createRequest({ settings, systemPrompt, conversation, sampling }: TurnContext): ModelRequest {
  const { model, tools } = settings();
  return { model, system: systemPrompt, messages: [...conversation.close()], tools: tools.map(declare), ...sampling };
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

/** Why the calls of this answer must not run, in words for the model; undefined when they may. */
function problemOf(answer: Answer): string | undefined {
  if (answer.stopReason === 'interrupted') return NOT_RUN;
  if (answer.failure !== undefined || answer.stopReason === 'content_filter') return BROKEN_OFF;
  return answer.stopReason === 'max_tokens' ? CUT_OFF : undefined;
}

async function* refuseCalls(answer: Answer, reason: string, context: TurnContext): AsyncGenerator<AgentEvent> {
  for (const call of answer.calls) yield* reportResult(toOutcome(call, failed(reason)), context);
}

function interrupted({ control }: TurnContext): TurnOutcome {
  const { by, reason } = control.interruption ?? { by: 'shutdown', reason: 'The session was closed.' };
  return { type: 'interrupted', by, reason };
}
