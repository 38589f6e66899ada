import { AgentError, describeIssue } from '@qwen/protocol';
import * as z from 'zod/mini';

/** Makes recursion over a body safe. */
const MAX_DEPTH = 100;

/** Errors: `invalid_json`, `invalid_payload`. */
export async function readBody<Body>(request: Request, schema: z.ZodMiniType<Body>): Promise<Body> {
  const text = await request.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new AgentError('invalid_json', 'The request body is not valid JSON.');
  }
  if (isTooDeep(body)) throw new AgentError('invalid_payload', `body: nested more than ${MAX_DEPTH} levels deep`);
  const read = z.safeParse(schema, body);
  if (!read.success) throw new AgentError('invalid_payload', describeIssue('body', read.error));
  return read.data;
}

function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}
