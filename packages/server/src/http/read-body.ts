import { AgentError, describeIssue } from '@qwen/protocol';
import type { HonoRequest } from 'hono';
import * as z from 'zod/mini';

/** Makes recursion over a body safe. */
const MAX_DEPTH = 100;

/** Errors: `invalid_json`, `invalid_payload`, also for a NUL character anywhere and for a mode that is not in the schema. */
export async function readBody<Body>(request: Request, schema: z.ZodMiniType<Body>): Promise<Body> {
  const text = decode(await request.arrayBuffer());
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new AgentError('invalid_json', 'The request body is not valid JSON.');
  }
  if (isTooDeep(body)) throw new AgentError('invalid_payload', `body: nested more than ${MAX_DEPTH} levels deep`);
  // JSON.parse accepts NUL only as an escape sequence.
  if (text.includes('\\u0000') && hasNul(body)) {
    throw new AgentError('invalid_payload', 'body: contains a NUL character (\\u0000); remove it');
  }
  const read = z.safeParse(schema, body);
  if (!read.success) throw new AgentError('invalid_payload', describeIssue('body', read.error));
  const ignored = namesOf(body).find((name) => MODE_NAME.test(name) && !namesOf(read.data).includes(name));
  if (ignored === undefined) return read.data;
  throw new AgentError('invalid_payload', `body.${ignored}: this request has no such member; see /openapi.json`);
}

/** Other unknown members are ignored, but an ignored mode could allow more than the client expects. */
const MODE_NAME = /^(?:approval|permission)[_-]?mode$/i;

function namesOf(body: unknown): readonly string[] {
  return typeof body === 'object' && body !== null ? Object.keys(body) : [];
}

/** The header `Idempotency-Key`. Errors: `invalid_payload`. */
export function readClientKey(request: Pick<HonoRequest, 'header'>): string | undefined {
  const key = request.header('idempotency-key');
  if (key === undefined || /^[\x21-\x7e]{1,200}$/.test(key)) return key;
  throw new AgentError('invalid_payload', 'Idempotency-Key: expected 1 to 200 visible ASCII characters');
}

function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new AgentError('invalid_json', 'The request body is not valid UTF-8.');
  }
}

function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}

function hasNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, member]) => name.includes('\0') || hasNul(member));
}
