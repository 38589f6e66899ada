import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Caller } from '../guard/access-tokens.js';
import type { Route } from './route-table.js';

/** What is known about the HTTP request that is handled. */
export interface RequestContext {
  /** The header `X-Request-Id`, of the client or chosen here. */
  readonly id: string;
  readonly route: Route | undefined;
  /** Set by the guard, unless the route is open. */
  caller?: Caller | undefined;
  /** The session of a ticket or a share link. */
  onlySessionId?: string | undefined;
  /** Lets the caller read that session of another owner. `isValid()` may reject. */
  shareLink?: { readonly isValid: () => Promise<boolean> } | undefined;
  /** Set once it is known. */
  sessionId?: string | undefined;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Undefined outside a request, as for callers of `server.core`. */
export function currentRequest(): RequestContext | undefined {
  return storage.getStore();
}

export function inRequest<Result>(context: RequestContext, work: () => Result): Result {
  return storage.run(context, work);
}

/** Other ids could forge lines of a log. */
export function toRequestId(header: string | undefined): string {
  return header !== undefined && /^[\w.:-]{1,128}$/.test(header) ? header : randomUUID();
}
