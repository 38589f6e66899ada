import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** Changes to the default behavior. */
export interface OAuthTweaks {
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly resource?: Readonly<Record<string, unknown>>;
  readonly answer?: Readonly<Record<string, string>>;
  /** Rejects refresh tokens. */
  readonly refuseRefresh?: boolean;
  /** Response to machine token requests. Default: a valid token. */
  readonly token?: Readonly<Record<string, unknown>>;
}

const MACHINE_GRANTS = ['client_credentials', 'urn:ietf:params:oauth:grant-type:jwt-bearer'];

/** An MCP server that requires a token, and its authorization server, on loopback. */
export interface OAuthWorld extends AsyncDisposable {
  readonly serverUrl: URL;
  readonly origin: string;
  readonly asked: readonly string[];
  readonly tokenRequests: readonly Readonly<Record<string, string>>[];
  readonly tokens: readonly string[];
  /** Invalidates all tokens. */
  expire(): void;
}

export async function openOAuthWorld(tweaks: OAuthTweaks = {}): Promise<OAuthWorld> {
  const asked: string[] = [];
  const tokens: string[] = [];
  const tokenRequests: Record<string, string>[] = [];
  const codes = new Map<string, string>();
  let isExpired = false;
  let origin = '';

  const json = (response: ServerResponse, value: unknown, status = 200) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };

  const handlers: Record<string, (request: IncomingMessage, response: ServerResponse, url: URL) => unknown> = {
    '/.well-known/oauth-protected-resource/mcp': (_, response) =>
      json(response, { resource: `${origin}/mcp`, authorization_servers: [origin], ...tweaks.resource }),
    '/.well-known/oauth-authorization-server': (_, response) =>
      json(response, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        ...tweaks.metadata,
      }),
    '/register': async (request, response) => {
      const body: unknown = JSON.parse(await textOf(request));
      json(response, { ...Object(body), client_id: randomUUID() }, 201);
    },
    '/authorize': (_, response, url) => {
      const code = randomUUID();
      codes.set(code, url.searchParams.get('code_challenge') ?? '');
      const back = new URL(url.searchParams.get('redirect_uri') ?? '');
      const state = url.searchParams.get('state') ?? '';
      for (const [name, value] of Object.entries({ code, state, ...tweaks.answer })) back.searchParams.set(name, value);
      response.writeHead(302, { location: back.href }).end();
    },
    '/token': async (request, response) => {
      const form = Object.fromEntries(new URLSearchParams(await textOf(request)));
      tokenRequests.push(form);
      const { grant_type, code = '', code_verifier = '' } = form;
      const challenge = createHash('sha256').update(code_verifier).digest('base64url');
      if (tweaks.token !== undefined) {
        json(response, { token_type: 'N_A', ...tweaks.token });
        return;
      }
      const isMachine = MACHINE_GRANTS.includes(grant_type ?? '');
      const isUser = grant_type === 'refresh_token' ? tweaks.refuseRefresh !== true : codes.get(code) === challenge;
      codes.delete(code);
      if (!isMachine && !isUser) {
        json(response, { error: 'invalid_grant' }, 400);
        return;
      }
      const token = `secret-${randomUUID()}`;
      tokens.push(token);
      isExpired = false;
      json(response, { access_token: token, token_type: 'Bearer', refresh_token: `refresh-${randomUUID()}` });
    },
    '/mcp': async (request, response) => {
      const message: unknown = request.method === 'POST' ? JSON.parse(await textOf(request)) : {};
      const isSignedIn = !isExpired && request.headers.authorization === `Bearer ${tokens.at(-1)}`;
      if (!isSignedIn) {
        const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
        response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` }).end();
      } else answerMcp(Object(message), response);
    },
  };

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', origin);
    asked.push(url.pathname + url.search);
    const handler = handlers[url.pathname];
    if (handler === undefined) response.writeHead(404).end();
    else void handler(request, response, url);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  origin = `http://127.0.0.1:${address.port}`;
  return {
    serverUrl: new URL(`${origin}/mcp`),
    origin,
    asked,
    tokenRequests,
    tokens,
    expire: () => {
      isExpired = true;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answerMcp({ id, method, params }: Record<string, unknown>, response: ServerResponse): void {
  if (id === undefined) {
    response.writeHead(method === undefined ? 405 : 202).end();
    return;
  }
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion: Object(params).protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'guarded', version: '1' },
    },
    'tools/list': { tools: [{ name: 'whoami', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: 'somebody' }] },
  };
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', id, result: results[String(method)] }));
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  return text;
}
