import { AgentError, isJsonObject } from '@qwen/protocol';
import type * as z from 'zod/mini';
import { cutText, namedOf } from './error-text.js';
import { toStreamError } from './status-error.js';

/** Throws `bad_model_response`, or the provider's error in the chunk. */
export function checkChunk<T>(schema: z.ZodMiniType<T>, json: unknown): T {
  // Errors have other shapes than chunks.
  if (isJsonObject(json) && (isError(json['error']) || isBareProblem(json))) throw toStreamError(json);
  const parsed = schema.safeParse(json);
  if (!parsed.success) throw badChunk(JSON.stringify(json));
  return parsed.data;
}

/** Some gateways send an empty error with each chunk. */
export function isError(error: unknown): boolean {
  return isJsonObject(error) ? Object.values(error).some(Boolean) : Boolean(error);
}

/** An error without `error`, as DashScope, MiniMax and FastAPI send it with status 200. */
function isBareProblem(json: Readonly<Record<string, unknown>>): boolean {
  if (['choices', 'candidates', 'output', 'content'].some((name) => json[name])) return false;
  const { base_resp: base, detail, success, status, type } = json;
  if (isJsonObject(base)) return Boolean(base['status_code']);
  if (detail && type === undefined) return true;
  const { message, code } = namedOf(json);
  const hasFailed = success === false || code !== undefined || /^(?:error|fail|[45]\d\d$)/i.test(String(status));
  return message !== undefined && type === undefined && hasFailed;
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
