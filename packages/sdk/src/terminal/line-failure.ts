import { type AgentError, type ErrorCode, fromWireError } from '@qwen/protocol';
import type { FatalErrorLine, LineError } from '@qwen/protocol/openai';

/** What a program calls an input that it cannot read (GAP-12). */
const INVALID_INPUT = 'QWEN_INVALID_INPUT';

/** The `metadata.error` of a line as a typed error; a code that we do not know is in its `data.code`. */
export function toLineFailure(error: LineError): AgentError {
  const { code, message, data, line_number: line } = error;
  const facts = { ...data, ...(line !== undefined && { line }) };
  return fromWireError({ code: ourCode(code), message, data: facts }, 'internal');
}

/** The object that a program leaves with (K-06) as a typed error. */
export function toFatalFailure({ error }: FatalErrorLine): AgentError {
  const { code, message, type, param } = error;
  const facts = { type, ...(param != null && { param }) };
  return fromWireError({ ...(code != null && { code: ourCode(code) }), message, data: facts }, 'process_exited');
}

/** On these lines codes wear capitals: `QWEN_` and the reason. */
function ourCode(code: string): string {
  if (code === INVALID_INPUT) return 'invalid_message' satisfies ErrorCode;
  return code.startsWith('QWEN_') ? code.slice('QWEN_'.length).toLowerCase() : code;
}
