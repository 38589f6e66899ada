import { AgentError, type DecodedLine } from '@qwen/protocol';
import { alreadyStarted, type CloseOptions, NO_EXIT, type Transport, type TransportExit } from '../transport.js';
import type { HttpTransportOptions, RemoteConnection } from './remote-connection.js';

/**
 * Runs the CLI on a `qwen serve` and carries its lines over HTTP: Server-Sent Events down, POST requests up. Broken
 * connections are resumed; each line arrives once and in order. The server ends the CLI of a client that is away for
 * longer than its grace period.
 *
 * @example
 * import { HttpTransport, query } from '@qwen/sdk';
 *
 * const args = ['--input-format=stream-json', '--output-format=stream-json', '--model=qwen3-coder'];
 * const transport = new HttpTransport({ url: 'http://127.0.0.1:4170', args });
 * for await (const message of query({ prompt: 'hi', options: { transport } })) console.log(message);
 */
export class HttpTransport implements Transport {
  readonly pid = undefined;
  readonly #options: HttpTransportOptions;
  readonly #closed = Promise.withResolvers<TransportExit>();
  #connection: Promise<RemoteConnection> | undefined;

  constructor(options: HttpTransportOptions) {
    this.#options = options;
  }

  get closed(): Promise<TransportExit> {
    return this.#closed.promise;
  }

  /**
   * Also rejects with `server_unreachable`, `unsupported_protocol`, `unauthorized`, `origin_refused`, `overloaded`,
   * and with `invalid_payload` for flags that the server does not accept.
   */
  async start(onLine: (line: DecodedLine) => void): Promise<void> {
    if (this.#connection !== undefined) throw alreadyStarted();
    // Loaded on demand: most queries run a local CLI.
    this.#connection = import('../../on-demand.js').then(
      ({ RemoteConnection: Connection }) => new Connection(this.#options, this.#closed.resolve),
    );
    const connection = await this.#connection;
    await connection.start(onLine);
  }

  async send(line: string): Promise<void> {
    if (this.#connection === undefined) throw new AgentError('channel_closed', 'The transport has not been started.');
    const connection = await this.#connection;
    await connection.send(line);
  }

  endInput(): void {
    void this.#connection?.then((connection) => connection.endInput());
  }

  async close(options?: CloseOptions): Promise<void> {
    if (this.#connection === undefined) {
      this.#closed.resolve(NO_EXIT);
      return;
    }
    const connection = await this.#connection;
    await connection.close(options);
    await this.closed;
  }
}
