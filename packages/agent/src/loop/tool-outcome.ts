import type { ContentBlock, PermissionDenial } from '@qwen/protocol';
import type { StructuredResult, ToolDisplay, ToolOutcome, ToolStatus } from '../tool-view.js';
import type { RequestedCall } from './answer-builder.js';

export const NOT_RUN = 'Interrupted: this call did not run.';
export const STOPPED = 'Interrupted: this call was stopped before it was done.';

export const OVER_BUDGET = 'The budget of tool calls is used up: this call did not run.';

export interface CallResult {
  readonly content: string | readonly ContentBlock[];
  readonly status: ToolStatus;
  readonly display?: ToolDisplay;
  readonly structured?: StructuredResult;
  readonly denial?: PermissionDenial;
}

/** `maxLength`: of its JSON, in UTF-16 units. */
export function isShort(structured: StructuredResult | undefined, maxLength: number): structured is StructuredResult {
  return structured !== undefined && JSON.stringify(structured).length <= maxLength;
}

export function failed(text: string): CallResult {
  return { content: text, status: 'error' };
}

export function canceled(text: string): CallResult {
  return { content: text, status: 'canceled' };
}

export function forbidden(call: RequestedCall, message: string): CallResult {
  return refusal(call, message, 'error');
}

/** `reason`: for the result. Default: the message, which the model reads. */
export function declined(call: RequestedCall, message: string, reason?: string): CallResult {
  return withReason(refusal(call, message, 'canceled'), reason ?? message);
}

function refusal({ id, name, input }: RequestedCall, message: string, status: ToolStatus): CallResult {
  return {
    content: `[Operation Cancelled] Reason: ${message}`,
    status,
    denial: { tool_name: name, tool_use_id: id, tool_input: input, reason: message },
  };
}

function withReason(result: CallResult, reason: string): CallResult {
  return result.denial === undefined ? result : { ...result, denial: { ...result.denial, reason } };
}

export function toOutcome(call: RequestedCall, result: CallResult): ToolOutcome {
  const isError = result.status !== 'success';
  return { callId: call.id, name: call.name, uuid: crypto.randomUUID(), isError, ...result };
}
