import { AgentError } from '@qwen/protocol';
import type * as z from 'zod/mini';
import { cutText } from './error-text.js';
import { toStreamError } from './status-error.js';

/** Throws `bad_model_response`, or the provider's error in the chunk. */
export function checkChunk<T extends { error?: unknown }>(schema: z.ZodMiniType<T>, json: unknown): T {
  const parsed = schema.safeParse(json);
  if (!parsed.success) throw badChunk(JSON.stringify(json));
  if (parsed.data.error) throw toStreamError(parsed.data);
  return parsed.data;
}

/** Throws `bad_model_response`. */
export function parsePayload(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    throw badChunk(payload);
  }
}

function badChunk(payload: string): AgentError {
  return new AgentError('bad_model_response', `The provider sent an invalid chunk: ${cutText(payload)}`);
}
