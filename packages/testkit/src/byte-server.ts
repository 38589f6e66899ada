import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';

/** A request as the server saw it. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** One answer, byte by byte. */
export interface ByteReply {
  /** Default 200. */
  readonly status?: number;
  /** Default `content-type: text/event-stream`. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Written one by one, each flushed on its own. A promise is waited for, so a test decides when the answer goes on.
   * Default none.
   */
  readonly chunks?: readonly (string | Uint8Array | Promise<string | Uint8Array>)[];
  /**
   * After the last chunk: `end` closes politely, `reset` cuts the connection with RST, `cut` closes it in the middle
   * of the body, `hang` says nothing more. `reset` without chunks drops the request before the first byte. Default `end`.
   */
  readonly ending?: 'end' | 'reset' | 'cut' | 'hang';
}

export interface ByteServer extends AsyncDisposable {
  /** `http://127.0.0.1:port`, no slash at the end. */
  readonly url: string;
  /** The requests so far, in order. */
  readonly requests: readonly ReceivedRequest[];
  /** Resolves when the connection of request `number` (the first is 1) is closed, whoever closed it. */
  closed(number: number): Promise<void>;
  /** Connections that were made so far. */
  readonly connectionCount: number;
}

/**
 * A real HTTP server on loopback for answers that no well-behaved server gives: reply n to request n, the last one
 * again for each further request. Closing it drops the connections that hang.
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

/** Connections serve many requests, so each is listened to once. */
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
    // A reader in this process gets its turn, and with it each chunk on its own.
    await setImmediate();
  }
  if (ending === 'end') outgoing.end();
  if (ending === 'reset') outgoing.socket?.resetAndDestroy();
  if (ending === 'cut') outgoing.socket?.destroySoon();
}
