import { type ControlFrame, type ControlLine, toControlLine } from '../control-frames.js';
import { isJsonObject, type JsonObject } from '../json-object.js';

/** A control line with everything that any form in use has (CF-31); still a line in the strict form. */
export type SupersetLine = ControlLine & { readonly [member: string]: unknown };

/**
 * Writes a control line for readers of every form: the envelope of 001 (nested, with its session and prompt), the flat
 * copies of 000, and answers with both places of the id and both names of the result. No member clashes: whoever reads
 * one form finds what it expects.
 */
export function toSupersetLine(frame: ControlFrame): SupersetLine {
  const line = toControlLine(frame);
  if (frame.kind === 'cancel') return { ...line };
  if (frame.kind === 'response') {
    if (line.type !== 'control_response' || line.response.subtype === 'error') {
      return { ...line, request_id: frame.requestId };
    }
    const { response: result } = line.response;
    const response = { ...line.response, result: inWordsOfTheRfc(result) };
    return { ...line, request_id: frame.requestId, response };
  }
  const { subtype, sessionId, promptId, payload } = frame;
  return {
    ...line,
    subtype,
    ...(sessionId !== undefined && { session_id: sessionId }),
    ...(promptId !== undefined && { prompt_id: promptId }),
    ...(subtype === 'can_use_tool' && isJsonObject(payload) && toolMembers(payload)),
  };
}

/** The tool permission as 000 has it (CF-33). */
function toolMembers({ tool_name: name, input, reason }: JsonObject): JsonObject {
  return { tool: { name, arguments: input }, metadata: { reason: reason ?? null } };
}

/** `approve` where 003 says `allow` (CF-32). */
function inWordsOfTheRfc(result: unknown): unknown {
  if (!isJsonObject(result) || result['behavior'] !== 'allow') return result;
  return { ...result, behavior: 'approve' };
}
