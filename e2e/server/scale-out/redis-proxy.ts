import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** The address of a Redis that can be cut off without closing connections, or lead to another server. */
export class RedisProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #targetPort: number;
  #isCut = false;

  private constructor(server: Server, targetPort: number) {
    this.#server = server;
    this.#targetPort = targetPort;
    server.on('connection', (client) => this.#join(client));
  }

  static async start(target: string): Promise<RedisProxy> {
    const server = createServer();
    const proxy = new RedisProxy(server, portOf(target));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return `redis://127.0.0.1:${address.port}`;
  }

  /** From now on nothing passes, and no one is informed. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#open) socket.pause();
  }

  /** Drops what is connected and passes new connections on, to another server if one is named. */
  heal(target?: string): void {
    this.#isCut = false;
    if (target !== undefined) this.#targetPort = portOf(target);
    for (const socket of this.#open) socket.destroy();
  }

  #join(client: Socket): void {
    const target = connect(this.#targetPort, '127.0.0.1');
    const drop = () => {
      for (const socket of [client, target]) {
        socket.destroy();
        this.#open.delete(socket);
      }
    };
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      this.#open.add(from);
      from.on('error', drop).on('close', drop);
      from.on('data', (chunk: Buffer) => to.write(chunk));
      if (this.#isCut) from.pause();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
    await closed;
  }
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
