import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Tracked {
  readonly socket: Socket;
  requests: number;
}

/**
 * Limits the number of connections: a connection too many closes the one that has been idle longest, so that idle
 * connections cannot exhaust the server and running streams are safe.
 */
export class ConnectionLimiter {
  readonly #max: number;
  readonly #connections = new Map<string, Tracked>();
  /** Longest idle first. */
  readonly #idle = new Map<string, Tracked>();

  private constructor(max: number) {
    this.#max = max;
  }

  static watch(server: Server, max: number): void {
    const limiter = new ConnectionLimiter(max);
    server.on('connection', (socket: Socket) => limiter.#add(socket));
    server.on('request', (request: IncomingMessage, response: ServerResponse) => limiter.#track(request, response));
  }

  #add(socket: Socket): void {
    const key = keyOf(socket);
    const tracked: Tracked = { socket, requests: 0 };
    this.#connections.set(key, tracked);
    this.#idle.set(key, tracked);
    socket.once('close', () => this.#remove(key, tracked));
    if (this.#connections.size <= this.#max) return;
    const [oldest] = this.#idle;
    if (oldest === undefined) return;
    this.#remove(...oldest);
    oldest[1].socket.destroy();
  }

  #remove(key: string, tracked: Tracked): void {
    // A new connection may come from the same port.
    if (this.#connections.get(key) === tracked) this.#connections.delete(key);
    if (this.#idle.get(key) === tracked) this.#idle.delete(key);
  }

  #track({ socket }: IncomingMessage, response: ServerResponse): void {
    const key = keyOf(socket);
    const tracked = this.#connections.get(key);
    if (tracked === undefined) return;
    tracked.requests += 1;
    this.#idle.delete(key);
    response.once('close', () => {
      tracked.requests -= 1;
      if (tracked.requests === 0 && this.#connections.get(key) === tracked) this.#idle.set(key, tracked);
    });
  }
}

function keyOf({ remoteAddress = '', remotePort = 0 }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
