import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A client of bytes: what it sends and gets is in the test's hands. Close it with `using`. */
export class RawClient implements Disposable {
  readonly socket: Socket;
  /** Settles when the connection is closed by either side. */
  readonly closed: Promise<void>;
  /** Joined only when somebody reads them. */
  readonly #pieces: string[] = [];
  #look: ((piece: string) => void) | undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding('utf8').on('data', (text: string) => {
      this.#pieces.push(text);
      this.#look?.(text);
    });
    // A connection that the server resets is what some tests are about.
    socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        resolve();
        this.#look?.('');
      });
    });
  }

  static async connect(port: number, host = '127.0.0.1'): Promise<RawClient> {
    const socket = connect(port, host);
    await once(socket, 'connect');
    return new RawClient(socket);
  }

  /** Sends a request of these lines, without a body. */
  request(...lines: readonly string[]): void {
    this.socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  }

  /** Sends a GET as a browser would. */
  get(path: string, ...headers: readonly string[]): void {
    this.request(`GET ${path} HTTP/1.1`, `Host: 127.0.0.1:${this.socket.remotePort}`, ...headers);
  }

  /** Everything so far. */
  get received(): string {
    if (this.#pieces.length > 1) this.#pieces.splice(0, this.#pieces.length, this.#pieces.join(''));
    return this.#pieces[0] ?? '';
  }

  /** Everything so far, once it holds the text. Rejects when the connection ends without it. */
  until(text: string): Promise<string> {
    let last = this.received;
    return new Promise((resolve, reject) => {
      this.#look = (piece) => {
        // Megabytes may have come before this piece.
        last = last.slice(-text.length) + piece;
        if (last.includes(text)) resolve(this.received);
        else if (this.socket.closed) reject(new Error(`closed after ${JSON.stringify(this.received.slice(-500))}`));
      };
      if (last.includes(text)) resolve(last);
      else this.#look('');
    });
  }

  /** The status of the first answer, once its head is there. */
  async status(): Promise<number> {
    return Number((await this.until('\r\n\r\n')).slice(9, 12));
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }
}
