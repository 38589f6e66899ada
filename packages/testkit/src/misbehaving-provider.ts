import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';

/** The raw bytes of a response, head included, and what happens to them. */
export interface WireReply {
  readonly bytes: Uint8Array;
  readonly pace?: number;
  /** Cut into two writes here. */
  readonly splitAt?: number;
  /** Default: all. */
  readonly stopAt?: number;
  /** Afterwards. `keep`: the connection serves the next request. Default `close`. */
  readonly ending?: 'close' | 'reset' | 'keep';
  /** Sent first. */
  readonly after?: Promise<unknown>;
}

export interface WireServer extends AsyncDisposable {
  /** `http://127.0.0.1:port`, without a trailing slash. */
  readonly url: string;
  readonly requests: readonly string[];
}

export interface ResponseHead {
  readonly version?: '1.0' | '1.1';
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly framing?: 'chunked' | 'length' | 'until-close';
}

export function toResponse(body: string, head: ResponseHead = {}): Uint8Array {
  const {
    version = '1.1',
    status = 200,
    headers = { 'Content-Type': 'text/event-stream' },
    framing = 'chunked',
  } = head;
  const length = Buffer.byteLength(body);
  const lines = [
    `HTTP/${version} ${status} Whatever`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(version === '1.1' ? ['Connection: close'] : []),
    ...(framing === 'chunked' ? ['Transfer-Encoding: chunked'] : []),
    ...(framing === 'length' ? [`Content-Length: ${length}`] : []),
  ];
  const framed =
    framing === 'chunked' ? `${length === 0 ? '' : `${length.toString(16)}\r\n${body}\r\n`}0\r\n\r\n` : body;
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${framed}`);
}

/** A loopback server for any fault of a provider: reply n answers request n, the last one all later requests. */
export async function startWireServer(replies: readonly WireReply[]): Promise<WireServer> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    let received = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      const body = takeRequest(received);
      if (body === undefined) return;
      received = Buffer.alloc(0);
      requests.push(body);
      const reply = replies[Math.min(requests.length, replies.length) - 1];
      if (reply !== undefined) void send(socket, reply);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the wire server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function takeRequest(received: Buffer): string | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const length = Number(/^content-length: *(\d+)/im.exec(received.subarray(0, end).toString('latin1'))?.[1] ?? 0);
  const body = received.subarray(end + 4);
  return body.length < length ? undefined : body.toString();
}

async function send(socket: Socket, reply: WireReply): Promise<void> {
  const { bytes, pace, splitAt, stopAt = bytes.length, ending = 'close', after } = reply;
  await after;
  const sent = bytes.subarray(0, stopAt);
  const cuts = pace === undefined ? (splitAt === undefined ? [] : [splitAt]) : steps(sent.length, pace);
  let start = 0;
  for (const cut of [...cuts, sent.length]) {
    if (cut > start) await write(socket, sent.subarray(start, cut));
    start = Math.max(start, cut);
  }
  if (ending === 'reset') socket.resetAndDestroy();
  if (ending === 'close') socket.end();
}

function steps(length: number, pace: number): number[] {
  return Array.from({ length: Math.floor(length / pace) }, (_, index) => (index + 1) * pace);
}

async function write(socket: Socket, bytes: Uint8Array): Promise<void> {
  if (socket.destroyed) return;
  await new Promise<void>((resolve) => {
    socket.write(bytes, () => resolve());
  });
  // Lets a reader in this process receive each piece separately.
  await setImmediate();
}

export interface ProviderWire {
  text(text: string): string;
  call(call: { readonly id: string; readonly name: string; readonly json: string }, position: number): string;
  finish(
    reason: string,
    counts?: { readonly input: number; readonly output: number; readonly cached: number },
  ): readonly string[];
  /** A payload without content. */
  readonly emptyPayload: string;
  readonly reasons: { readonly stop: string; readonly length: string };
  errorBody(message: string): string;
  errorPayload(message: string, status: number): string;
  /** Payloads that end each stream; empty if the finish reason is the only end. */
  readonly endMarker: readonly string[];
  /** The answer of an endpoint that does not stream. */
  whole(text: string): string;
}

export function compressed(encoding: string, body: Uint8Array): WireReply {
  const head = `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: ${encoding}\r\nConnection: close\r\n\r\n`;
  return { bytes: Buffer.concat([Buffer.from(head), body]) };
}

/** The connection stays open, as a client expects that reuses it. */
export function kept(status: number, body: string): WireReply {
  const head = `HTTP/1.1 ${status} No\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return { bytes: Buffer.from(head + body), ending: 'keep' };
}
