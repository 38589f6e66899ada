import { AgentError } from '@qwen/protocol';
import type { HttpRequest } from './send-request.js';

/** The `fetch` that a client library is given. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<never>;

/**
 * The request that a client library makes, taken before it is sent: the library knows paths, headers and sign-in; we
 * send it and read the answer ourselves. `call` gets the `fetch` to build the client with; what it rejects with after
 * that `fetch` was called has no meaning. Rejects with what `call` rejects with when it never got that far.
 */
export async function takeRequest(call: (fetch: Fetch) => Promise<unknown>): Promise<HttpRequest> {
  let taken: HttpRequest | undefined;
  const fetch: Fetch = (input, init = {}) => {
    taken ??= toHttpRequest(typeof input === 'string' || input instanceof URL ? String(input) : input.url, init);
    return Promise.reject(new AgentError('aborted', 'The request was taken over.'));
  };
  try {
    await call(fetch);
  } catch (thrown) {
    if (taken === undefined) throw thrown;
  }
  if (taken === undefined) throw new AgentError('internal', 'The model client made no request.');
  return taken;
}

function toHttpRequest(url: string, { method = 'GET', headers = {}, body }: RequestInit): HttpRequest {
  if (typeof body !== 'string') throw new AgentError('internal', 'The model client made a request without a text.');
  return { method, url, headers: toRecord(headers), body };
}

function toRecord(headers: NonNullable<RequestInit['headers']>): Readonly<Record<string, string>> {
  const entries = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}
