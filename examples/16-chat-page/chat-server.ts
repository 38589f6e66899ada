import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** A chat for one user on this machine. */
export interface ChatPage extends AsyncDisposable {
  readonly url: string;
}

const FILES: Readonly<Record<string, readonly [name: string, type: string]>> = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/chat.js': ['chat.js', 'text/javascript; charset=utf-8'],
  '/read-events.js': ['read-events.js', 'text/javascript; charset=utf-8'],
  '/chat.css': ['chat.css', 'text/css; charset=utf-8'],
};
/** The only routes of the agent server that the page can reach. */
const ROUTES: readonly string[] = ['/api/chat/stream', '/api/chat/approve', '/api/chat/cancel'];
const PASSED_ON = ['content-type', 'content-length', 'idempotency-key'];

/** Serves the page on loopback on a free port, and forwards its requests with the token. */
export async function startChatPage(agent: { readonly url: string; readonly token: string }): Promise<ChatPage> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  return {
    url: `http://${host}/`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '/', method, headers } = request;
    // Other sites can reach loopback under their own host name, and post to it.
    const isOurs = headers.host === host && [undefined, `http://${host}`].includes(headers.origin);
    if (!isOurs) return refuse(response, 403);
    if (method === 'POST' && ROUTES.includes(url)) return passOn(request, response);
    const file = method === 'GET' ? FILES[url] : undefined;
    if (file === undefined) return refuse(response, 404);
    response.writeHead(200, {
      'content-type': file[1],
      'content-security-policy': "default-src 'self'; img-src data:; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    });
    response.end(await readFile(join(import.meta.dirname, 'page', file[0])));
  }

  async function passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const headers: Record<string, string> = { authorization: `Bearer ${agent.token}` };
    for (const name of PASSED_ON) {
      const value = request.headers[name];
      if (typeof value === 'string') headers[name] = value;
    }
    const asked = ask(new URL(request.url ?? '', agent.url), { method: 'POST', headers });
    const [, [told]] = (await Promise.all([pipeline(request, asked), once(asked, 'response')])) as [
      undefined,
      [IncomingMessage],
    ];
    const { 'content-type': type = 'application/json' } = told.headers;
    response.writeHead(told.statusCode ?? 502, { 'content-type': type, 'cache-control': 'no-store' });
    // A page that disconnects ends its stream, not the turn.
    await pipeline(told, response);
  }

  function refuse(response: ServerResponse, status: number): void {
    response.writeHead(status).end();
  }
}
