import { AgentError, describeIssue } from '@qwen/protocol';
import * as z from 'zod/mini';

/** No honest request comes near it; what walks through a body by recursion is safe below (S71). */
const MAX_DEPTH = 100;

/** The body of a request. Errors: `invalid_json`; `invalid_payload`, which names the member at fault. */
export async function readBody<Body>(request: Request, schema: z.ZodMiniType<Body>): Promise<Body> {
  const text = await request.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new AgentError('invalid_json', 'The body of the request is not JSON.');
  }
  if (isTooDeep(body)) throw new AgentError('invalid_payload', `body: nested deeper than ${MAX_DEPTH} levels`);
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
