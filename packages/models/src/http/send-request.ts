import type { ClientRequest, IncomingMessage, request } from 'node:http';
import type { Transform } from 'node:stream';
import { AgentError } from '@qwen/protocol';
import type { ModelClock } from '../clock.js';
import { type ProxyRules, proxyRoute } from './proxy.js';

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The response head, and its body as a stream. */
export interface HttpResponse {
  readonly status: number;
  /** Case-insensitive. */
  readonly header: (name: string) => string | undefined;
  /** Decoded. Leaving the loop early closes the connection. Rejects with a system code if it breaks. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection; a pending read rejects. */
  readonly close: () => void;
}

export interface Sending {
  /** Closes the connection at any time. */
  readonly signal: AbortSignal;
  readonly clock: ModelClock;
  /** Detects an unreachable address earlier than a slow response. 0: no limit. */
  readonly connectTimeoutMs: number;
  readonly proxy?: ProxyRules | undefined;
}

/**
 * Resolves with any response, including redirects. Rejects with socket errors, and with `network_unavailable` on a
 * connect timeout. `fetch` would be slower to load than the rest of a call (docs/decisions/0004).
 */
export async function sendRequest(
  asked: HttpRequest,
  { signal, clock, connectTimeoutMs, proxy: rules }: Sending,
): Promise<HttpResponse> {
  const { method, url, body } = asked;
  const detour = await proxyRoute(url, rules);
  const { request: open } = httpFor(detour?.protocol ?? url);
  // Compression would delay chunks.
  const headers = { 'accept-encoding': 'identity', ...asked.headers, ...detour?.headers };
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = open(url, { ...detour, method, headers });
    outgoing.on('response', resolve).on('error', reject);
    if (connectTimeoutMs > 0) limitConnecting(outgoing, clock, connectTimeoutMs);
    onAbort(signal, () => outgoing.destroy());
    outgoing.end(body);
  });
  const close = () => void message.destroy();
  onAbort(signal, close);
  return {
    status: message.statusCode ?? 0,
    header: (name) => message.headers[name.toLowerCase()]?.toString(),
    body: await decodeContent(message),
    close,
  };
}

/** Without the query, which may contain secrets. */
export function endpointOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** The client's `signal` option throws an uncaught AbortError between two reads. */
function onAbort(signal: AbortSignal, action: () => void): void {
  if (signal.aborted) action();
  else signal.addEventListener('abort', action, { once: true });
}

function limitConnecting(outgoing: ClientRequest, clock: ModelClock, ms: number): void {
  outgoing.once('socket', (socket) => {
    if (!socket.connecting) return;
    const cancelTimer = clock.startTimer(ms, () => {
      const message = `Could not connect within ${ms / 1_000} s. Check the base URL and your network.`;
      outgoing.destroy(new AgentError('network_unavailable', message, { data: { limit: 'connect' } }));
    });
    socket.once('connect', cancelTimer);
    outgoing.once('close', cancelTimer);
  });
}

/** `import` would read every export, and `WebSocket` loads all of `fetch`. */
function httpFor(url: string): { readonly request: typeof request } {
  return url.startsWith('https:') ? process.getBuiltinModule('node:https') : process.getBuiltinModule('node:http');
}

/** Decodes gzip, deflate, br and zstd as it arrives; passes other encodings through. */
async function decodeContent(message: IncomingMessage): Promise<AsyncIterable<Uint8Array>> {
  const named = (message.headers['content-encoding'] ?? '').toLowerCase().split(/[\s,]+/);
  const [encoding] = named.filter((name) => name !== '' && name !== 'identity');
  if (encoding === undefined) return message;
  const decoder = await createDecoder(encoding);
  if (decoder === undefined) return message;
  const { pipeline } = await import('node:stream');
  return pipeline(message, decoder, () => undefined);
}

async function createDecoder(encoding: string): Promise<Transform | undefined> {
  const zlib = await import('node:zlib');
  const { constants, createBrotliDecompress, createGunzip, createInflate } = zlib;
  const flushing = { flush: constants.Z_SYNC_FLUSH };
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip(flushing);
  if (encoding === 'deflate') return createInflate(flushing);
  if (encoding === 'br') return createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH });
  if (encoding === 'zstd' && 'createZstdDecompress' in zlib) return zlib.createZstdDecompress();
  return undefined;
}
