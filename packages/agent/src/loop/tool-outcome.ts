import type { ContentBlock, PermissionDenial } from '@qwen/protocol';
import type { ToolDisplay, ToolOutcome } from '../events.js';
import type { RequestedCall } from './answer-builder.js';

/** What the model reads for a call that an interrupt kept from running. */
export const NOT_RUN = 'Interrupted: this call did not run.';
/** What the model reads for a call that an interrupt stopped. */
export const STOPPED = 'Interrupted: this call was stopped before it was done.';

/** What the model reads for a call beyond the budget of its prompt. */
export const OVER_BUDGET = 'The budget of tool calls is used up: this call did not run.';

/** What came of a call, before it has a name. */
export interface CallResult {
  readonly content: string | readonly ContentBlock[];
  readonly isError: boolean;
  readonly display?: ToolDisplay;
  readonly denial?: PermissionDenial;
}

export function failed(text: string): CallResult {
  return { content: text, isError: true };
}

/** The result of a call that somebody or some rule said no to. */
export function denied(call: RequestedCall, message: string): CallResult {
  return {
    content: `[Operation Cancelled] Reason: ${message}`,
    isError: true,
    denial: { tool_name: call.name, tool_use_id: call.id, tool_input: call.input },
  };
}

export function toOutcome(call: RequestedCall, result: CallResult): ToolOutcome {
  return { callId: call.id, name: call.name, uuid: crypto.randomUUID(), ...result };
}
