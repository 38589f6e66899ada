import type { FetchLike } from '@modelcontextprotocol/client';
import { AgentError } from '@qwen/protocol';
import { assertReachable, assertSafeUrl } from './address-check.js';

const MAX_BYTES = 1024 * 1024;
const TIMEOUT_MS = 15_000;

/**
 * For addresses that a server names: no private networks, limited in time and size. Redirects are not followed, so
 * that each target is checked.
 */
export function checkedFetch(fetch: FetchLike, serverUrl: URL): FetchLike {
  return async (address, init) => {
    const url = new URL(address);
    assertSafeUrl(url, 'The address');
    await assertReachable(url, serverUrl);
    const limit = AbortSignal.timeout(TIMEOUT_MS);
    const signal = init?.signal ? AbortSignal.any([init.signal, limit]) : limit;
    const response = await fetch(url, { ...init, signal, redirect: 'manual' });
    return new Response(await readLimited(response), {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
  };
}

async function readLimited({ body, status }: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  // These responses must not have a body.
  if (body === null || status === 204 || status === 304) return null;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > MAX_BYTES) throw new AgentError('mcp_failed', `The response is longer than ${MAX_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
