import { AgentError } from '@qwen/protocol';
import type * as z from 'zod/mini';
import { cutText } from './error-text.js';
import { toStreamError } from './status-error.js';

/**
 * One payload of a stream, checked. Throws `bad_model_response` for what does not fit the schema, and the provider's
 * own error when the payload carries one.
 */
export function checkChunk<T extends { error?: unknown }>(schema: z.ZodMiniType<T>, json: unknown): T {
  const parsed = schema.safeParse(json);
  if (!parsed.success) throw badChunk(JSON.stringify(json));
  if (parsed.data.error) throw toStreamError(parsed.data);
  return parsed.data;
}

/** The JSON of one payload. Throws `bad_model_response` for what is none. */
export function parsePayload(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    throw badChunk(payload);
  }
}

function badChunk(payload: string): AgentError {
  return new AgentError('bad_model_response', `The provider sent something that is not a chunk: ${cutText(payload)}`);
}
