import { lookup } from 'node:dns/promises';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { connect, isIP } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { normalHost } from '@qwen/agent';
import { messageOf } from '@qwen/protocol';
import { isPrivateAddress } from '../mcp/auth/address-check.js';
import { type HostLists, judgeHost } from './host-list.js';

export interface NetworkProxyOptions {
  readonly lists: HostLists;
  /** Whether commands may connect to a host that no list names. Asked once per host. Missing: no. */
  readonly ask?: (host: string) => Promise<boolean>;
}

class Refusal extends Error {}

/** Hop-by-hop headers (RFC 9110 §7.6.1), and what is for the proxy. */
const NOT_FORWARDED = /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host)$/;
const CONNECT_MS = 30_000;
/** Limits of what a command can do to this process and to the user: a connection may need two descriptors. */
const MAX_CONNECTIONS = 256;
const MAX_QUESTIONS = 8;

/** An HTTP proxy that connects commands to permitted hosts only. Close its server. */
export class NetworkProxy {
  readonly server: Server;
  readonly #options: NetworkProxyOptions;
  readonly #asked = new Map<string, Promise<boolean>>();
  readonly #blocked = new Set<string>();
  /** One question at a time. */
  #last: Promise<unknown> = Promise.resolve();
  #open = 0;

  constructor(options: NetworkProxyOptions) {
    this.#options = options;
    this.server = createServer((incoming, response) => void this.#forward(incoming, response));
    this.server.maxConnections = MAX_CONNECTIONS;
    this.server.on('error', () => undefined);
    this.server.on(
      'connect',
      (incoming: IncomingMessage, socket: Duplex, head: Buffer) => void this.#tunnel(incoming, socket, head),
    );
    this.server.on('upgrade', (_incoming, socket: Duplex) => socket.destroy());
    this.server.on('clientError', (_error, socket) => socket.destroy());
  }

  takeBlocked(): string[] {
    const hosts = [...this.#blocked];
    this.#blocked.clear();
    return hosts;
  }

  /** Resolves with an address of the host, so that the name cannot change its meaning afterwards. */
  async #addressOf(name: string): Promise<string> {
    const host = normalHost(name);
    if (host === undefined) throw new Refusal('The host is invalid.');
    const verdict = judgeHost(host, this.#options.lists);
    const mayConnect =
      verdict === 'named' || verdict === 'allowed' || (verdict === 'unknown' && (await this.#ask(host)));
    if (!mayConnect) {
      this.#blocked.add(host);
      throw new Refusal(`The sandbox blocks ${host}.`);
    }
    // Who approves a name does not see that it leads into a private network.
    if (isIP(host) !== 0) return this.#checked(host, host, verdict !== 'allowed');
    const { address } = await lookup(host);
    return this.#checked(host, address, verdict === 'named');
  }

  #checked(host: string, address: string, isNamed: boolean): string {
    if (isNamed || !isPrivateAddress(address)) return address;
    this.#blocked.add(host);
    throw new Refusal(`The sandbox blocks ${host}: ${address} is in a private network. Only its full name allows it.`);
  }

  #ask(host: string): Promise<boolean> {
    const { ask } = this.#options;
    if (ask === undefined) return Promise.resolve(false);
    const known = this.#asked.get(host);
    if (known !== undefined) return known;
    if (this.#open >= MAX_QUESTIONS) return Promise.resolve(false);
    this.#open += 1;
    const asked = this.#last.then(() => ask(host)).catch(() => false);
    this.#last = asked;
    this.#asked.set(host, asked);
    // A denial is asked about again.
    void asked.then((mayConnect) => {
      this.#open -= 1;
      if (!mayConnect) this.#asked.delete(host);
    });
    return asked;
  }

  async #tunnel(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    try {
      const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(incoming.url ?? '') ?? [];
      const address = await this.#addressOf(host);
      const upstream = connect({ host: address, port: Number(port), timeout: CONNECT_MS, allowHalfOpen: true });
      upstream.once('timeout', () => upstream.destroy(new Error('The site does not answer.')));
      upstream.once('connect', () => {
        upstream.setTimeout(0);
        socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        socket.pipe(upstream).pipe(socket);
      });
      upstream.write(head);
      // The end of the connection ends the socket, whose buffer may still be full; only an error destroys it.
      upstream.on('error', () => socket.destroy());
      socket.once('close', () => upstream.destroy());
    } catch (thrown) {
      const text = `${messageOf(thrown)}\n`;
      const status = thrown instanceof Refusal ? '403 Forbidden' : '502 Bad Gateway';
      socket.end(
        `HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
      );
    }
  }

  async #forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    incoming.on('error', () => response.destroy());
    try {
      const url = URL.parse(incoming.url ?? '');
      if (url === null || url.protocol !== 'http:') throw new Refusal('Only http addresses are forwarded.');
      const address = await this.#addressOf(url.hostname);
      if (response.destroyed) return;
      const headers = Object.entries(incoming.headers).filter(([name]) => !NOT_FORWARDED.test(name));
      const upstream = request({
        host: address,
        port: url.port === '' ? 80 : url.port,
        method: incoming.method,
        path: url.pathname + url.search,
        headers: { ...Object.fromEntries(headers), host: url.host },
        setHost: false,
        agent: false,
      });
      upstream.on('response', (answer) => {
        const kept = Object.entries(answer.headers).filter(([name]) => !NOT_FORWARDED.test(name));
        try {
          response.writeHead(answer.statusCode ?? 502, Object.fromEntries(kept));
        } catch (thrown) {
          upstream.destroy();
          fail(response, thrown);
          return;
        }
        pipeline(answer, response, () => undefined);
      });
      upstream.on('error', (error) => fail(response, error));
      upstream.once('close', () => response.headersSent || fail(response, new Error('The site sent no response.')));
      response.once('close', () => upstream.destroy());
      incoming.pipe(upstream);
    } catch (thrown) {
      fail(response, thrown);
    }
  }
}

function fail(response: ServerResponse, thrown: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(thrown instanceof Refusal ? 403 : 502, { 'content-type': 'text/plain' });
  response.end(`${messageOf(thrown)}\n`);
}
