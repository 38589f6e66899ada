import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Held {
  readonly socket: Socket;
  /** Requests of it that are not answered to their end. */
  requests: number;
}

/**
 * Keeps the connections of a server to a number. When one comes too many, the one that has been without a request for
 * the longest time goes: who opens connections and says nothing loses them to those who have something to say, and
 * streams that run lose nothing (S72).
 */
export class ConnectionRoom {
  readonly #most: number;
  readonly #held = new Map<string, Held>();
  /** Those without a request, the longest first. */
  readonly #quiet = new Map<string, Held>();

  private constructor(most: number) {
    this.#most = most;
  }

  /** Watches a server, of TLS too, for as long as it is there. */
  static watch(server: Server, most: number): void {
    const room = new ConnectionRoom(most);
    server.on('connection', (socket: Socket) => room.#enter(socket));
    server.on('request', (request: IncomingMessage, response: ServerResponse) => room.#speak(request, response));
  }

  #enter(socket: Socket): void {
    const key = keyOf(socket);
    const held: Held = { socket, requests: 0 };
    this.#held.set(key, held);
    this.#quiet.set(key, held);
    socket.once('close', () => this.#leave(key, held));
    if (this.#held.size <= this.#most) return;
    const [longest] = this.#quiet;
    if (longest === undefined) return;
    this.#leave(...longest);
    longest[1].socket.destroy();
  }

  #leave(key: string, held: Held): void {
    // The other end may have come back from the same port.
    if (this.#held.get(key) === held) this.#held.delete(key);
    if (this.#quiet.get(key) === held) this.#quiet.delete(key);
  }

  #speak({ socket }: IncomingMessage, response: ServerResponse): void {
    const key = keyOf(socket);
    const held = this.#held.get(key);
    if (held === undefined) return;
    held.requests += 1;
    this.#quiet.delete(key);
    response.once('close', () => {
      held.requests -= 1;
      if (held.requests === 0 && this.#held.get(key) === held) this.#quiet.set(key, held);
    });
  }
}

/** The other end, which is the same for a connection and for the TLS that is spoken on it. */
function keyOf({ remoteAddress = '', remotePort = 0 }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
