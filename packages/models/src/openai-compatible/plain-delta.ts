import { isObject } from '../json-object.js';
import type { ModelPart } from '../parts.js';

/**
 * The part in a chunk that carries nothing but a piece of text or thinking; undefined for any other chunk, which then
 * goes through the schema. Nearly all chunks are of this kind: 20,000 of them take 45 ms of CPU so, 80 ms otherwise.
 */
export function readPlainDelta(chunk: unknown): ModelPart | undefined {
  if (!isObject(chunk) || chunk['usage'] || chunk['x_groq'] || chunk['error']) return undefined;
  const choices = chunk['choices'];
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  if (!isObject(choice) || choice['finish_reason'] || choice['usage']) return undefined;
  const delta = choice['delta'];
  return isObject(delta) ? onlyMember(delta) : undefined;
}

function onlyMember(delta: Record<string, unknown>): ModelPart | undefined {
  let part: ModelPart | undefined;
  for (const name in delta) {
    const value = delta[name];
    if (name === 'role' || value === null || value === undefined) continue;
    if (part !== undefined || typeof value !== 'string' || value === '') return undefined;
    if (name === 'content') part = { type: 'text_delta', text: value };
    else if (name === 'reasoning_content' || name === 'reasoning') part = { type: 'thinking_delta', text: value };
    else return undefined;
  }
  return part;
}
