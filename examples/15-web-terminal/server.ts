import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AgentLines, type AgentLinesOptions } from './agent-lines.ts';
import { streamLines } from './line-stream.ts';
import { buildPage } from './page-files.ts';

/** A web terminal for one user on this machine. */
export interface WebTerminal extends AsyncDisposable {
  /** Grants access to the agent: it contains a token that is new at each start. */
  readonly url: string;
}

const MOST_BODY_BYTES = 1024 * 1024;

/** Starts an agent and serves its page on loopback, on a free port. */
export async function startWebTerminal(options: AgentLinesOptions): Promise<WebTerminal> {
  const page = await buildPage();
  const lines = new AgentLines(options);
  const token = randomBytes(24).toString('base64url');
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  return {
    url: `http://127.0.0.1:${port}/${token}/`,
    async [Symbol.asyncDispose]() {
      await lines[Symbol.asyncDispose]();
      server.close();
      server.closeAllConnections();
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const [, told = '', ...rest] = pathname.split('/');
    if (!isFromHere(request)) return refuse(response, 403);
    // Without the token, reveal nothing about other paths.
    if (!isSame(told, token)) return refuse(response, 404);
    const name = rest.join('/');
    if (name === 'lines' && request.method === 'GET') {
      return streamLines(lines, response, Number(request.headers['last-event-id'] ?? 0) || 0);
    }
    if (name === 'lines' && request.method === 'POST') return await take(request, response);
    if (request.method === 'GET') return serve(name, response);
    refuse(response, 405);
  }

  /** Other sites can reach a loopback port under their own host name, and post to it. */
  function isFromHere({ headers }: IncomingMessage): boolean {
    const { host = '', origin } = headers;
    return hosts.includes(host) && (origin === undefined || origin === `http://${host}`);
  }

  function serve(name: string, response: ServerResponse): void {
    const file = page.get(name);
    if (file === undefined) return refuse(response, 404);
    response.writeHead(200, {
      'content-type': file.type,
      'cache-control': 'no-store',
      // The URL contains the token.
      'referrer-policy': 'no-referrer',
      // xterm.js sets inline styles.
      'content-security-policy':
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
    });
    response.end(file.content);
  }

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MOST_BODY_BYTES) return refuse(response, 413);
      chunks.push(chunk);
    }
    const line = parseObject(Buffer.concat(chunks).toString());
    if (line === undefined) return refuse(response, 400);
    lines.send(line);
    response.writeHead(204).end();
  }
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { connection: 'close' }).end();
}

function isSame(told: string, token: string): boolean {
  const [one, other] = [Buffer.from(told), Buffer.from(token)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
