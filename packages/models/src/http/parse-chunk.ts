import { AgentError } from '@qwen/protocol';
import type * as z from 'zod/mini';
import { cutText } from './error-text.js';
import { toStreamError } from './status-error.js';

/**
 * One payload of a stream, checked. Throws `bad_model_response` for what is not JSON or does not fit the schema, and
 * the provider's own error when the payload carries one.
 */
export function parseChunk<T extends { error?: unknown }>(schema: z.ZodMiniType<T>, payload: string): T {
  const parsed = schema.safeParse(parseJson(payload));
  if (!parsed.success) throw badChunk(payload);
  if (parsed.data.error) throw toStreamError(parsed.data);
  return parsed.data;
}

function parseJson(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    throw badChunk(payload);
  }
}

function badChunk(payload: string): AgentError {
  return new AgentError('bad_model_response', `The provider sent something that is not a chunk: ${cutText(payload)}`);
}
