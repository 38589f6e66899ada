import { AgentError } from '@qwen/protocol';

/** Throws `usage` unless there is exactly one word. */
export function onlyName(rest: readonly string[]): string {
  const [name, ...more] = rest;
  if (name === undefined || more.length > 0)
    throw new AgentError('usage', 'mcp: expected one server name; see qwen mcp list');
  return name;
}
