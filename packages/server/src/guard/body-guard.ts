import { AgentError } from '@qwen/protocol';
import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { type GuardContext, headerValues } from './request-facts.js';

const WITHOUT_BODY = new Set(['GET', 'HEAD', 'OPTIONS']);
const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const TEN_MIB = 10 * 1024 * 1024;

/**
 * Takes only JSON, uncompressed, up to a size. Other types are what a page of any origin may send without being asked
 * (S58), and a compressed body may unpack to anything (S71). Errors: `unsupported_media_type`, `payload_too_large`.
 */
export function bodyGuard({ maxBytes = TEN_MIB }: { readonly maxBytes?: number } = {}): MiddlewareHandler {
  const limit = bodyLimit({
    maxSize: maxBytes,
    onError: () => {
      throw new AgentError('payload_too_large', `The body of a request has at most ${maxBytes} bytes.`);
    },
  });
  return async (context: GuardContext, next) => {
    if (WITHOUT_BODY.has(context.req.method) || isEmptyDelete(context)) return next();
    const types = headerValues(context, 'content-type');
    if (types.length !== 1 || !JSON_TYPE.test(types[0] ?? '')) {
      throw new AgentError('unsupported_media_type', 'The body of a request is application/json.');
    }
    if (headerValues(context, 'content-encoding').some((encoding) => encoding.toLowerCase() !== 'identity')) {
      throw new AgentError('unsupported_media_type', 'The body of a request is not compressed.');
    }
    return limit(context, next);
  };
}

/** A page of another origin cannot send DELETE without asking, so one without a body needs no type. */
function isEmptyDelete(context: GuardContext): boolean {
  const [length = '0'] = headerValues(context, 'content-length');
  return context.req.method === 'DELETE' && length === '0' && headerValues(context, 'transfer-encoding').length === 0;
}
