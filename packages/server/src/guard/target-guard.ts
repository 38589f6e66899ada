import { AgentError } from '@qwen/protocol';
import type { MiddlewareHandler } from 'hono';
import type { GuardContext } from './request-headers.js';

/** Refuses request targets that programs would decode differently. Errors: `invalid_payload`. */
export function targetGuard(): MiddlewareHandler {
  return async (context: GuardContext, next) => {
    const problem = problemOf(context.env?.incoming?.url ?? context.req.url);
    if (problem !== undefined) throw new AgentError('invalid_payload', `The request URL contains ${problem}.`);
    await next();
  };
}

function problemOf(target: string): string | undefined {
  try {
    return decodeURIComponent(target).includes('\0') ? 'a NUL byte' : undefined;
  } catch {
    return 'invalid percent-encoding';
  }
}
