import { AgentError } from '@qwen/protocol';
import type { AgentEvent, TurnOutcome } from '../events.js';
import type { ToolOutcome } from '../tool-view.js';
import { AnswerCheck } from './answer-check.js';
import { StopGate } from './hooks/stop-gate.js';
import { interrupted, ModelAsker } from './model-asker.js';
import { RepeatGuard } from './repeat-guard.js';
import type { Answer } from './run-turn.js';
import type { StructuredOutput } from './structured-output.js';
import { canceled, failed, NOT_RUN, toOutcome } from './tool-outcome.js';
import { parentOf, type TurnContext } from './turn-context.js';

/** Answers in a row with incomplete calls. */
const MAX_BROKEN_CALL_RETRIES = 2;

const CUT_OFF = 'The answer was cut off at the token limit, so its calls did not run. Send shorter or fewer calls.';
const BROKEN_ANSWER = 'The answer ended early, so this call did not run.';

/**
 * Calls the model and runs its tools until it makes no more calls. Rejects only with an error of the log. The
 * history stays valid for the next prompt.
 */
export async function* runPrompt(context: TurnContext): AsyncGenerator<AgentEvent, TurnOutcome> {
  const { control, output } = context;
  const asker = new ModelAsker(context);
  const gate = new StopGate();
  const repeats = new RepeatGuard();
  const check = new AnswerCheck();
  let brokenAnswers = 0;
  for (;;) {
    const asked = yield* asker.ask();
    if ('outcome' in asked) return asked.outcome;
    const { answer } = asked;
    yield* finishMessage(answer, context);
    const broken = refusalReason(answer);
    const outcomes = yield* runCalls(answer, broken, context);
    const loop = broken === undefined ? repeats.note(answer.calls, outcomes) : {};

    if (control.signal.aborted) return interrupted(context);
    const failure = answer.failure ?? loop.failure;
    if (failure !== undefined) return { type: 'error', error: failure };
    if (loop.warning !== undefined) yield* warn(loop.warning, context);
    if (answer.stopReason === 'content_filter') {
      return { type: 'error', error: new AgentError('content_filtered', 'The provider withheld the answer.') };
    }
    const isDone = answer.calls.length === 0 || output?.value !== undefined;
    if (answer.calls.length > 0) check.reset();
    const problem = isDone && output === undefined ? check.problemOf(answer) : undefined;
    if (problem !== undefined) {
      if (problem.request === undefined) {
        if (!(yield* asker.fallBack(problem.failure))) return { type: 'error', error: problem.failure };
        check.reset();
        continue;
      }
      yield { type: 'notice', ...problem.notice, parentToolUseId: parentOf(context) };
      await addUserMessage(problem.request, context);
      continue;
    }
    const text = check.wholeText(answer);
    const followUp = isDone ? (output?.remind(text) ?? (yield* gate.pass(context, text))) : undefined;
    if (control.signal.aborted) return interrupted(context);
    if (output?.failure !== undefined) return { type: 'error', error: output.failure };
    if (isDone && followUp === undefined) return succeeded(text, output);
    if (followUp !== undefined) await addUserMessage(followUp, context);
    await addNotes(context);
    brokenAnswers = broken !== undefined || answer.calls.some((call) => call.error) ? brokenAnswers + 1 : 0;
    if (brokenAnswers > MAX_BROKEN_CALL_RETRIES) {
      const message = `The model sent ${brokenAnswers} answers in a row with incomplete tool calls.`;
      return { type: 'error', error: new AgentError('bad_model_response', message) };
    }
  }
}

function succeeded(text: string, output: StructuredOutput | undefined): TurnOutcome {
  if (output === undefined) return { type: 'success', text };
  return { type: 'success', text: JSON.stringify(output.value), structured: output.value };
}

async function* finishMessage(answer: Answer, context: TurnContext): AsyncGenerator<AgentEvent> {
  const { record, clock } = context;
  const { messageId, model, content, stopReason, usage, started } = answer;
  if (!started) return;
  if (content.some(({ type }) => type !== 'thinking')) {
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

async function* warn(message: string, context: TurnContext): AsyncGenerator<AgentEvent> {
  yield { type: 'notice', code: 'loop_detected', message, parentToolUseId: parentOf(context) };
  await addUserMessage(message, context);
}

async function addUserMessage(text: string, { record, clock }: TurnContext): Promise<void> {
  const uuid = crypto.randomUUID();
  await record({ type: 'user', uuid, at: clock.isoTime(), content: text, is_synthetic: true });
}

async function addNotes({ record, clock, takeNotes }: TurnContext): Promise<void> {
  const notes = takeNotes?.() ?? [];
  if (notes.length === 0) return;
  const text = notes.join('\n');
  await record({ type: 'note', uuid: crypto.randomUUID(), at: clock.isoTime(), text, is_message: true });
}

/** For the model; undefined if the calls may run. */
function refusalReason(answer: Answer): string | undefined {
  if (answer.stopReason === 'interrupted') return NOT_RUN;
  if (answer.failure !== undefined || answer.stopReason === 'content_filter') return BROKEN_ANSWER;
  return answer.stopReason === 'max_tokens' ? CUT_OFF : undefined;
}

/** With a reason to refuse them, no call runs. */
async function* runCalls(
  { calls, stopReason }: Answer,
  refusal: string | undefined,
  context: TurnContext,
): AsyncGenerator<AgentEvent, readonly ToolOutcome[]> {
  if (calls.length === 0) return [];
  // With permissions and hooks: an answer without calls needs none of it.
  const { announceCalls, reportResult, runTools } = await import('./run-tools.js');
  yield* announceCalls(calls, context);
  if (refusal === undefined) return yield* runTools(calls, context);
  const result = stopReason === 'interrupted' ? canceled(refusal) : failed(refusal);
  for (const call of calls) yield* reportResult(toOutcome(call, result), context);
  return [];
}
