import { AgentError } from '@qwen/protocol';
import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { type GuardContext, headerValues } from './request-headers.js';

const WITHOUT_BODY = new Set(['GET', 'HEAD', 'OPTIONS']);
const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
/** JSON has no other encoding than UTF-8 (RFC 8259 §8.1). */
const OTHER_CHARSET = /;\s*charset\s*=\s*"?(?!utf-?8"?\s*(?:;|$))/i;
const TEN_MIB = 10 * 1024 * 1024;

/**
 * Accepts only uncompressed JSON: pages of any origin can send other types without a preflight, and a compressed
 * body may expand without limit. Errors: `unsupported_media_type`, `payload_too_large`.
 */
export function bodyGuard({ maxBytes = TEN_MIB }: { readonly maxBytes?: number } = {}): MiddlewareHandler {
  const limit = bodyLimit({
    maxSize: maxBytes,
    onError: () => {
      throw new AgentError('payload_too_large', `The request body is larger than ${maxBytes} bytes.`);
    },
  });
  return async (context: GuardContext, next) => {
    if (WITHOUT_BODY.has(context.req.method) || isEmptyDelete(context)) return next();
    const types = headerValues(context, 'content-type');
    const [type = ''] = types;
    if (types.length !== 1 || !JSON_TYPE.test(type) || OTHER_CHARSET.test(type)) {
      throw new AgentError('unsupported_media_type', 'The request body must be application/json in UTF-8.');
    }
    if (headerValues(context, 'content-encoding').some((encoding) => encoding.toLowerCase() !== 'identity')) {
      throw new AgentError('unsupported_media_type', 'The request body must not be compressed.');
    }
    return limit(context, next);
  };
}

/** DELETE always needs a preflight. */
function isEmptyDelete(context: GuardContext): boolean {
  const [length = '0'] = headerValues(context, 'content-length');
  return context.req.method === 'DELETE' && length === '0' && headerValues(context, 'transfer-encoding').length === 0;
}
