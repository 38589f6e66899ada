import type { AssistantPart, ModelMessage, ToolResultPart } from '../parts.js';

type ToolCallPart = Extract<AssistantPart, { type: 'tool_call' }>;

/**
 * Adds missing results and drops those without a call, because providers reject the request for either. Depends only
 * on earlier messages, so that a prefix remains a prefix.
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
  const text = 'No result: the call was not run or was interrupted.';
  return { callId, name, content: [{ type: 'text', text }], isError: true };
}
