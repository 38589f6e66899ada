import { AgentError, contentText, NO_USAGE } from '@qwen/protocol';
import type { AgentEvent, TurnOutcome } from '../events.js';
import { AnswerBuilder } from './answer-builder.js';
import { interrupted } from './model-asker.js';
import { runPrompt } from './run-prompt.js';
import { announceCalls, runTools } from './run-tools.js';
import { parentOf, type TurnContext } from './turn-context.js';

export interface ToolRequest {
  readonly uuid: string;
  readonly callId: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** True: the model is not involved. False: call and result join the conversation, and the model continues. */
  readonly isClientInitiated: boolean;
  /** The model reads the command and its output with the next prompt. Only for a call that does not involve it. */
  readonly isShared?: boolean;
}

/**
 * Runs a call for the app under the same rules, mode, hooks and budget as for the model. Ends with
 * `duplicate_request` if the id is in use.
 */
export async function* runRequestedTool(
  request: ToolRequest,
  context: TurnContext,
): AsyncGenerator<AgentEvent, TurnOutcome> {
  const { callId, isClientInitiated } = request;
  if (callId === '' || context.history.claimCallId(callId) !== callId) {
    const message = `A tool call with the id ${JSON.stringify(callId)} already exists.`;
    return { type: 'error', error: new AgentError('duplicate_request', message, { data: { callId } }) };
  }
  return isClientInitiated ? yield* runForClient(request, context) : yield* runForModel(request, context);
}

async function* runForClient(
  { callId: id, name, input, isShared = false }: ToolRequest,
  context: TurnContext,
): AsyncGenerator<AgentEvent, TurnOutcome> {
  const { control, budget, record } = context;
  const shared = isShared ? { is_shared: true } : {};
  const apart: TurnContext = {
    ...context,
    record: (entry) =>
      record(entry.type === 'tool_result' ? { ...entry, type: 'client_call', input, ...shared } : entry),
  };
  const calls = [{ id, name, input }];
  yield* announceCalls(calls, apart);
  const outcomes = yield* runTools(calls, apart);
  if (control.signal.aborted) return interrupted(context);
  const limit = budget.reached();
  return limit === 'toolCalls'
    ? { type: 'budget', limit }
    : { type: 'success', text: outcomes.map(({ content }) => contentText(content)).join('\n') };
}

async function* runForModel(
  { uuid, callId: id, name, input }: ToolRequest,
  context: TurnContext,
): AsyncGenerator<AgentEvent, TurnOutcome> {
  const { record, clock, control } = context;
  // Providers expect a user message before a call.
  const prompt = `The user calls the tool ${name} directly.`;
  await record({ type: 'user', uuid, at: clock.isoTime(), content: prompt, is_synthetic: true });
  const messageId = crypto.randomUUID();
  const model = context.settings().model;
  const origin = { messageId, parentToolUseId: parentOf(context) };
  const answer = new AnswerBuilder(origin, () => id);
  yield { type: 'message_start', ...origin, model };
  yield* answer.add({ type: 'tool_call_start', id, name });
  yield* answer.add({ type: 'tool_call_delta', id, json: JSON.stringify(input) });
  yield* answer.add({ type: 'tool_call_end', id, name, input });
  yield* answer.end();
  const { content, calls } = answer;
  const said = { model, content: [...content], stop_reason: 'tool_use', usage: NO_USAGE };
  await record({ type: 'assistant', uuid: messageId, at: clock.isoTime(), ...said, requested_by: 'client' });
  yield { type: 'message_end', ...origin, model, content, stopReason: 'tool_use', usage: NO_USAGE };
  yield* announceCalls(calls, context);
  yield* runTools(calls, context);
  return control.signal.aborted ? interrupted(context) : yield* runPrompt(context);
}
