import type {
  FetchLike,
  JSONRPCMessage,
  RequestId,
  StreamableHTTPClientTransport,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/client';
import { settlesWithin } from '@qwen/agent';
import { defined } from '@qwen/protocol';
import * as z from 'zod/mini';
import { cappedBody } from './capped-body.js';

export interface HttpTransportOptions {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: FetchLike;
}

/** For streams that can be resumed, in milliseconds. */
const RECONNECTION = {
  initialReconnectionDelay: 250,
  reconnectionDelayGrowFactor: 2,
  maxReconnectionDelay: 4000,
  maxRetries: 4,
};
/** In milliseconds. */
const TERMINATION_LIMIT_MS = 1000;
const CONNECTION_CLOSED = -32000;

const requestSchema = z.looseObject({ id: z.union([z.string(), z.number()]), method: z.string() });
const answerSchema = z.looseObject({ id: z.union([z.string(), z.number()]) });

/**
 * A broken stream is resumed if its events have IDs. Otherwise the call fails and is not repeated, as the server may
 * have executed it.
 */
export class HttpTransport implements Transport {
  readonly #options: HttpTransportOptions;
  /** The library cancels a request of a modern server by closing its stream. */
  readonly hasPerRequestStream = true;
  readonly mayBeModern = true;
  readonly advice = 'If it uses Server-Sent Events, set its "type" to "sse".';
  readonly #unanswered = new Set<RequestId>();
  #inner: StreamableHTTPClientTransport | undefined;
  #isClosed = false;

  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  constructor(options: HttpTransportOptions) {
    this.#options = options;
  }

  get sessionId(): string | undefined {
    return this.#inner?.sessionId;
  }

  async start(): Promise<void> {
    const { url, headers } = this.#options;
    const { StreamableHTTPClientTransport: Inner } = await import('@modelcontextprotocol/client');
    const inner = new Inner(url, {
      requestInit: { headers: { ...headers } },
      fetch: (to, init) => this.#fetch(to, init),
      reconnectionOptions: RECONNECTION,
    });
    inner.onmessage = (message) => this.#deliver(message);
    inner.onerror = (error) => this.onerror?.(error);
    this.#inner = inner;
    await inner.start();
  }

  setProtocolVersion(version: string): void {
    this.#inner?.setProtocolVersion(version);
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const request = z.safeParse(requestSchema, message);
    if (request.success) this.#unanswered.add(request.data.id);
    try {
      const { requestSignal, onRequestStreamEnd, headers } = options ?? {};
      await this.#inner?.send(message, defined({ requestSignal, onRequestStreamEnd, headers }));
    } catch (thrown) {
      if (request.success) this.#unanswered.delete(request.data.id);
      throw thrown;
    }
  }

  /** Also ends the session on the server. Idempotent. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const inner = this.#inner;
    if (inner !== undefined) {
      await settlesWithin(inner.terminateSession(), TERMINATION_LIMIT_MS);
      await inner.close();
    }
    this.onclose?.();
  }

  #deliver(message: JSONRPCMessage): void {
    const answer = 'method' in message ? undefined : z.safeParse(answerSchema, message).data;
    if (answer !== undefined) this.#unanswered.delete(answer.id);
    this.onmessage?.(message);
  }

  async #fetch(url: string | URL, init: RequestInit | undefined): Promise<Response> {
    const response = await this.#options.fetch(url, init);
    const { body } = response;
    if (body === null || !response.ok) return response;
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true;
    const id = isStream ? requestIdIn(init?.body) : undefined;
    const capped = cappedBody(body, {
      perEvent: isStream,
      onEnd: ({ isResumable }) => {
        if (id !== undefined && !isResumable) setImmediate(() => this.#failUnanswered(id));
      },
    });
    return new Response(capped, response);
  }

  #failUnanswered(id: RequestId): void {
    if (this.#isClosed || !this.#unanswered.delete(id)) return;
    const error = { code: CONNECTION_CLOSED, message: 'The connection was lost before the response arrived.' };
    this.onmessage?.({ jsonrpc: '2.0', id, error });
  }
}

function requestIdIn(body: unknown): RequestId | undefined {
  if (typeof body !== 'string') return undefined;
  const request = z.safeParse(requestSchema, JSON.parse(body));
  return request.data?.id;
}
