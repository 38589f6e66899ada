import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';

export interface ReceivedRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface ByteReply {
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Flushed one by one. A promise delays its chunk. Default none. */
  readonly chunks?: readonly (string | Uint8Array | Promise<string | Uint8Array>)[];
  /**
   * After the last chunk: `end` closes cleanly, `reset` sends RST, `cut` closes in the middle of the body, `hang`
   * keeps the connection open. `reset` without chunks drops the request before the first byte. Default `end`.
   */
  readonly ending?: 'end' | 'reset' | 'cut' | 'hang';
}

export interface ByteServer extends AsyncDisposable {
  /** `http://127.0.0.1:port`, without a trailing slash. */
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  /** Resolves when either end closes the connection of request `number` (from 1). */
  closed(number: number): Promise<void>;
  readonly connectionCount: number;
}

/**
 * A loopback HTTP server for malformed responses: reply n answers request n, the last one all later requests.
 * Closing it drops open connections.
 */
export async function startByteServer(replies: readonly ByteReply[]): Promise<ByteServer> {
  const requests: ReceivedRequest[] = [];
  const closings: Promise<void>[] = [];
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => outgoing.destroy(error instanceof Error ? error : undefined));
  });

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = '', url = '', headers, socket } = incoming;
    closings.push(closeOf(socket));
    requests.push({ method, url, headers, body: await readText(incoming) });
    const reply = replies[Math.min(requests.length, replies.length) - 1];
    if (reply === undefined) throw new Error('the byte server has no replies');
    await sendReply(outgoing, reply);
  }

  let connectionCount = 0;
  server.on('connection', () => {
    connectionCount += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the byte server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    closed: (number) => closings[number - 1] ?? Promise.reject(new Error(`request ${number} has not arrived`)),
    get connectionCount() {
      return connectionCount;
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A connection serves many requests; listen to each once. */
const closingBySocket = new WeakMap<Socket, Promise<void>>();

function closeOf(socket: Socket): Promise<void> {
  const known = closingBySocket.get(socket);
  if (known !== undefined) return known;
  const closing = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  closingBySocket.set(socket, closing);
  return closing;
}

async function readText(incoming: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of incoming.setEncoding('utf8')) text += String(chunk);
  return text;
}

async function sendReply(outgoing: ServerResponse, reply: ByteReply): Promise<void> {
  const { status = 200, headers = { 'content-type': 'text/event-stream' }, chunks = [], ending = 'end' } = reply;
  if (ending !== 'reset' || chunks.length > 0) {
    outgoing.writeHead(status, headers);
    outgoing.flushHeaders();
  }
  for (const chunk of chunks) {
    const bytes = await chunk;
    await new Promise<void>((resolve) => {
      outgoing.write(bytes, () => resolve());
    });
    // Lets a reader in this process receive each chunk separately.
    await setImmediate();
  }
  if (ending === 'end') outgoing.end();
  if (ending === 'reset') outgoing.socket?.resetAndDestroy();
  if (ending === 'cut') outgoing.socket?.destroySoon();
}
