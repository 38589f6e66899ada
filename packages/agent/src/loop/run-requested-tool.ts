import { AgentError, NO_USAGE } from '@qwen/protocol';
import type { AgentEvent, TurnOutcome } from '../events.js';
import type { ToolOutcome } from '../tool-view.js';
import { AnswerBuilder } from './answer-builder.js';
import { interrupted } from './model-asker.js';
import { runPrompt } from './run-prompt.js';
import { announceCalls, runTools } from './run-tools.js';
import { parentOf, type TurnContext } from './turn-context.js';

/** A tool that the app wants to be run: a turn of its own, named by `uuid`. */
export interface ToolRequest {
  readonly uuid: string;
  /** The id of the call; one that no other call of the session has. */
  readonly callId: string;
  /** Any name of the tool. */
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /**
   * True: the model neither reads of it nor is it called. False: call and result become part of the conversation, and the
   * model goes on from there.
   */
  readonly isClientInitiated: boolean;
}

/**
 * Runs a call that the app asked for, as if the model had: under the rules, the mode, the hooks and the budget. One that
 * is client-initiated stays between the app and the tool; of any other the model reads the result and goes on. Ends with
 * `duplicate_request` for an id that another call had.
 */
export async function* runRequestedTool(
  request: ToolRequest,
  context: TurnContext,
): AsyncGenerator<AgentEvent, TurnOutcome> {
  const { callId, isClientInitiated } = request;
  if (callId === '' || context.history.claimCallId(callId) !== callId) {
    const message = `A tool call has the id ${JSON.stringify(callId)} already.`;
    return { type: 'error', error: new AgentError('duplicate_request', message, { data: { callId } }) };
  }
  return isClientInitiated ? yield* runForClient(request, context) : yield* runForModel(request, context);
}

async function* runForClient(
  { callId: id, name, input }: ToolRequest,
  context: TurnContext,
): AsyncGenerator<AgentEvent, TurnOutcome> {
  const { control, budget, record } = context;
  const apart: TurnContext = {
    ...context,
    record: (entry) => record(entry.type === 'tool_result' ? { ...entry, type: 'client_call', input } : entry),
  };
  const calls = [{ id, name, input }];
  yield* announceCalls(calls, apart);
  const outcomes = yield* runTools(calls, apart);
  if (control.signal.aborted) return interrupted(context);
  const limit = budget.reached();
  return limit === 'toolCalls' ? { type: 'budget', limit } : { type: 'success', text: outcomes.map(textOf).join('\n') };
}

async function* runForModel(
  { uuid, callId: id, name, input }: ToolRequest,
  context: TurnContext,
): AsyncGenerator<AgentEvent, TurnOutcome> {
  const { record, clock, control } = context;
  // Providers want a call to follow the words of somebody.
  await record({ type: 'user', uuid, at: clock.isoTime(), content: `The user calls the tool ${name} directly.` });
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

function textOf({ content }: ToolOutcome): string {
  if (typeof content === 'string') return content;
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
