import { AgentError } from '../errors.js';
import { isJsonObject, type JsonObject, parseJson } from '../json-object.js';

/**
 * Arguments of a call: a JSON object, its text, or nothing. Throws `invalid_tool_input` with `param`, the path of
 * the error.
 */
export function readToolArguments(value: unknown, param: string): JsonObject {
  if (value === '' || value === null || value === undefined) return {};
  const read = typeof value === 'string' ? parseJson(value) : value;
  if (isJsonObject(read)) return read;
  throw new AgentError('invalid_tool_input', 'invalid tool input', { data: { param, expected: 'a JSON object' } });
}
