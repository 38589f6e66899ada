import type { ClientRequest, IncomingMessage, request } from 'node:http';
import type { Transform } from 'node:stream';
import { AgentError } from '@qwen/protocol';
import type { ModelClock } from '../clock.js';

/** How long a connection may take to come about: an address that nobody answers at is known sooner than a slow answer. */
const CONNECT_TIMEOUT_MS = 10_000;

/** One request, ready to go. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The head of an answer, and its body while it arrives. */
export interface HttpAnswer {
  readonly status: number;
  /** The value of a header, found in any case; undefined when it is not there. */
  readonly header: (name: string) => string | undefined;
  /**
   * Decoded bytes. They are pulled: what nobody reads stays in the socket. Leaving the loop early closes the connection;
   * read to its end, the connection serves the next request. Rejects with a system code when the connection breaks.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection unless the body is over. A read that waits rejects. */
  readonly close: () => void;
}

export interface Sending {
  /** Closes the connection at any moment, the body included. */
  readonly signal: AbortSignal;
  readonly clock: ModelClock;
}

/**
 * Sends a request and resolves with whatever answer comes, redirects included. Rejects with the error of the socket,
 * and with `network_unavailable` when no connection comes about.
 *
 * On Node's HTTP client, because loading `fetch` costs a fresh process more than the rest of a call
 * (docs/decisions/0004). Connections are those of Node's global agent: kept for the next call, never a reason for the
 * process to stay, and through a proxy when Node is told to use one (`NODE_USE_ENV_PROXY`).
 */
export async function sendRequest(asked: HttpRequest, { signal, clock }: Sending): Promise<HttpAnswer> {
  const { method, url, body } = asked;
  const { request: open } = httpFor(url);
  // A compressed stream comes in lumps; whoever compresses all the same is understood.
  const headers = { 'accept-encoding': 'identity', ...asked.headers };
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = open(url, { method, headers });
    outgoing.on('response', resolve).on('error', reject);
    limitConnecting(outgoing, clock);
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

/** In place of the client's own `signal` option, which throws an uncaught AbortError when it comes between two reads. */
function onAbort(signal: AbortSignal, action: () => void): void {
  if (signal.aborted) action();
  else signal.addEventListener('abort', action, { once: true });
}

function limitConnecting(outgoing: ClientRequest, clock: ModelClock): void {
  outgoing.once('socket', (socket) => {
    if (!socket.connecting) return;
    const cancelTimer = clock.startTimer(CONNECT_TIMEOUT_MS, () => {
      const message = `No connection to the provider came about within ${CONNECT_TIMEOUT_MS} ms.`;
      outgoing.destroy(new AgentError('network_unavailable', message));
    });
    socket.once('connect', cancelTimer);
    outgoing.once('close', cancelTimer);
  });
}

/**
 * Not by `import`: that reads every export of the module to copy it, and one of them (`WebSocket`) loads all that
 * `fetch` is made of.
 */
function httpFor(url: string): { readonly request: typeof request } {
  return url.startsWith('https:') ? process.getBuiltinModule('node:https') : process.getBuiltinModule('node:http');
}

/**
 * The body of an answer without its content encoding: gzip, deflate and br, each passed on as it arrives. An encoding
 * that we do not know is left as it is. Leaving the body early closes the connection.
 */
export async function decodeContent(message: IncomingMessage): Promise<AsyncIterable<Uint8Array>> {
  const encoding = message.headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity') return message;
  const decoder = await createDecoder(encoding.toLowerCase());
  if (decoder === undefined) return message;
  const { pipeline } = await import('node:stream');
  // Whoever reads hears of what breaks from the decoder.
  return pipeline(message, decoder, () => undefined);
}

async function createDecoder(encoding: string): Promise<Transform | undefined> {
  const { constants, createBrotliDecompress, createGunzip, createInflate } = await import('node:zlib');
  const flushing = { flush: constants.Z_SYNC_FLUSH };
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip(flushing);
  if (encoding === 'deflate') return createInflate(flushing);
  if (encoding === 'br') return createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH });
  return undefined;
}
