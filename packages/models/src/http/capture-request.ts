import { AgentError } from '@qwen/protocol';
import type { HttpRequest } from './send-request.js';

/** The `fetch` that a client library is given. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<never>;

/**
 * Captures the request that a client library builds (paths, headers, sign-in), without sending it. `call` must use
 * the given `fetch`, whose rejection is ignored. Other rejections are passed on.
 */
export async function captureRequest(call: (fetch: Fetch) => Promise<unknown>): Promise<HttpRequest> {
  let captured: HttpRequest | undefined;
  const fetch: Fetch = (input, init = {}) => {
    captured ??= toHttpRequest(typeof input === 'string' || input instanceof URL ? String(input) : input.url, init);
    return Promise.reject(new AgentError('aborted', 'The request was captured.'));
  };
  try {
    await call(fetch);
  } catch (thrown) {
    if (captured === undefined) throw thrown;
  }
  if (captured === undefined) throw new AgentError('internal', 'The model client made no request.');
  return captured;
}

function toHttpRequest(url: string, { method = 'GET', headers = {}, body }: RequestInit): HttpRequest {
  if (typeof body !== 'string') throw new AgentError('internal', 'The model client sent a body that is not text.');
  return { method, url, headers: toRecord(headers), body };
}

function toRecord(headers: NonNullable<RequestInit['headers']>): Readonly<Record<string, string>> {
  const entries = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}
