import { AgentError } from '../errors.js';
import { isJsonObject, type JsonObject } from '../json-object.js';

/**
 * The arguments of a call, which are a JSON object or the text of one; nothing at all is no arguments. Throws
 * `invalid_tool_input` with `param`, the path of what is to blame.
 */
export function readToolArguments(value: unknown, param: string): JsonObject {
  if (value === '' || value === null || value === undefined) return {};
  const read = typeof value === 'string' ? parse(value) : value;
  if (isJsonObject(read)) return read;
  throw new AgentError('invalid_tool_input', 'invalid tool input', { data: { param, expected: 'a JSON object' } });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
