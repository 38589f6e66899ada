import { type AgentError, type ErrorCode, fromWireError } from '@qwen/protocol';
import type { FatalErrorLine, LineError } from '@qwen/protocol/openai';

const INVALID_INPUT = 'QWEN_INVALID_INPUT';

/** An unknown code is in `data.code`. */
export function toLineFailure(error: LineError): AgentError {
  const { code, message, data, line_number: line } = error;
  const facts = { ...data, ...(line !== undefined && { line }) };
  return fromWireError({ code: toErrorCode(code), message, data: facts }, 'internal');
}

export function toFatalFailure({ error }: FatalErrorLine): AgentError {
  const { code, message, type, param } = error;
  const facts = { type, ...(param != null && { param }) };
  return fromWireError({ ...(code != null && { code: toErrorCode(code) }), message, data: facts }, 'process_exited');
}

/** `QWEN_INVALID_JSON` becomes `invalid_json`. */
function toErrorCode(code: string): string {
  if (code === INVALID_INPUT) return 'invalid_message' satisfies ErrorCode;
  return code.startsWith('QWEN_') ? code.slice('QWEN_'.length).toLowerCase() : code;
}
