import { AgentError } from '@qwen/protocol';
import { type CallIds, refuseToolInput, type ToolInput } from '../answer/tool-input.js';
import { isObject } from '../json-object.js';
import type { ModelPart } from '../parts.js';
import type { AnswerPart } from './chunk-schema.js';

/**
 * One of Gemini's parts as ours. A signature on text or thinking becomes `thinking_signature`; on a call it ends up
 * in `tool_call_end`. Calls arrive whole, mostly without id.
 */
export function toModelParts(part: AnswerPart, ids: CallIds): readonly ModelPart[] {
  const signature = part.thoughtSignature || undefined;
  if (part.functionCall) return toCall(part.functionCall, ids, signature);
  return [
    ...(part.text ? [{ type: part.thought ? 'thinking_delta' : 'text_delta', text: part.text } as const] : []),
    ...(signature === undefined ? [] : [{ type: 'thinking_signature', signature } as const]),
  ];
}

function toCall(
  call: NonNullable<AnswerPart['functionCall']>,
  ids: CallIds,
  signature: string | undefined,
): readonly ModelPart[] {
  const id = ids.take(call.id ?? undefined);
  const name = call.name ?? '';
  const args = call.args ?? {};
  return [
    { type: 'tool_call_start', id, name },
    { type: 'tool_call_delta', id, json: JSON.stringify(args) },
    { type: 'tool_call_end', id, name, ...toInput(name, args), ...(signature !== undefined && { signature }) },
  ];
}

function toInput(name: string, args: unknown): ToolInput {
  if (name === '') return { error: new AgentError('unknown_tool', 'The call names no tool.') };
  return isObject(args) ? { input: args } : refuseToolInput(name, 'are not a JSON object');
}
