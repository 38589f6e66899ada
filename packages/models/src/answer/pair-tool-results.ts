import type { AssistantPart, ModelMessage, ToolResultPart } from '../parts.js';

type ToolCallPart = Extract<AssistantPart, { type: 'tool_call' }>;

/**
 * The same conversation with every tool call answered once, directly after it and in the order of the calls.
 * A call without a result gets one that says so, a result without a call is dropped: providers refuse the whole
 * request for either, and one bad turn must not end a session (F76). Depends only on what stands before it, so that
 * a prefix stays a prefix.
 */
export function pairToolResults(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const paired: ModelMessage[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') continue;
    paired.push(message);
    if (message.role !== 'assistant') continue;
    const calls = message.content.filter((part) => part.type === 'tool_call');
    if (calls.length === 0) continue;
    const next = messages[index + 1];
    paired.push({ role: 'tool', results: answerAll(calls, next?.role === 'tool' ? next.results : []) });
  }
  return paired;
}

function answerAll(calls: readonly ToolCallPart[], results: readonly ToolResultPart[]): readonly ToolResultPart[] {
  const byCall = new Map(results.map((result) => [result.callId, result]));
  return calls.map(({ id, name }) => byCall.get(id) ?? missingResult(id, name));
}

function missingResult(callId: string, name: string): ToolResultPart {
  const text = 'This call has no result: it was not run, or was interrupted.';
  return { callId, name, content: [{ type: 'text', text }], isError: true };
}
