import { type OAuthWorld, openOAuthWorld, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { runTool } from '../../../test/run-tool.js';
import { connectMcpServer } from '../client.js';
import { createTransport } from '../transports/create-transport.js';
import type { AuthRecord, AuthStorage } from './auth-storage.js';
import { authorizedFetch } from './authorized-fetch.js';
import { OAuthSource, type OAuthSourceOptions } from './oauth-source.js';

function memoryStorage(): AuthStorage & { record: AuthRecord | undefined } {
  const storage = {
    record: undefined as AuthRecord | undefined,
    load: () => Promise.resolve(storage.record),
    save: (record: AuthRecord | undefined) => {
      storage.record = record;
      return Promise.resolve();
    },
  };
  return storage;
}

/** A source whose user signs in at once, in the way that `page` says. */
function sourceOf(world: OAuthWorld, options: Partial<OAuthSourceOptions> = {}) {
  const pages: URL[] = [];
  const source = new OAuthSource({
    serverUrl: world.serverUrl,
    storage: memoryStorage(),
    config: {},
    fetch,
    onAuthorizationUrl: (page) => {
      pages.push(page);
      void fetch(page);
    },
    patience: 'wait',
    ...options,
  });
  return { source, pages };
}

const CHALLENGE = { isStepUp: false };

async function connect(world: OAuthWorld, source: OAuthSource) {
  const transport = await createTransport({
    endpoint: { kind: 'http', url: world.serverUrl, headers: {} },
    cwd: '/',
    environment: {},
    fetch: authorizedFetch({ fetch, source, serverUrl: world.serverUrl }),
  });
  return connectMcpServer({ serverName: 'guarded', transport });
}

test('a server with sign-in: discovery by metadata, PKCE, state, bound to the server', async () => {
  verifies('O-40', 'O-41', 'S100', 'S104');
  await using world = await openOAuthWorld();
  const { source, pages } = sourceOf(world);
  const connection = await connect(world, source);
  expect(connection.tools.map(({ name }) => name)).toEqual(['mcp__guarded__whoami']);
  const [page] = pages;
  expect(page?.searchParams.get('code_challenge_method')).toBe('S256');
  expect(page?.searchParams.get('resource')).toBe(world.serverUrl.href);
  expect(page?.searchParams.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  expect(page?.searchParams.get('state')?.length).toBeGreaterThan(40);
  expect(world.tokenRequests[0]).toMatchObject({ grant_type: 'authorization_code', resource: world.serverUrl.href });
  await connection.close();
});

test('a token that expires during a call is renewed without the user, and the call is sent again', async () => {
  verifies('F114', 'O-40');
  await using world = await openOAuthWorld();
  const { source, pages } = sourceOf(world);
  const connection = await connect(world, source);
  world.expire();
  const [tool] = connection.tools;
  expect(tool && (await runTool(tool, {}, { cwd: '/' }))).toMatchObject({ content: 'somebody' });
  expect(pages).toHaveLength(1);
  expect(world.tokenRequests.map(({ grant_type }) => grant_type)).toEqual(['authorization_code', 'refresh_token']);
  await connection.close();
});

test('a revoked refresh token leads to a new sign-in', async () => {
  await using world = await openOAuthWorld({ refuseRefresh: true });
  const { source, pages } = sourceOf(world);
  await source.renew(CHALLENGE);
  world.expire();
  await source.renew(CHALLENGE);
  expect(pages).toHaveLength(2);
  expect(await source.token()).toBe(world.tokens[1]);
});

test('without a waiting user, the address is emitted, the request fails immediately, and a later sign-in applies', async () => {
  verifies('GAP-43');
  await using world = await openOAuthWorld();
  const signedIn = Promise.withResolvers<void>();
  const pages: URL[] = [];
  const { source } = sourceOf(world, {
    patience: 'later',
    onAuthorizationUrl: (page) => pages.push(page),
    onSignedIn: () => signedIn.resolve(),
  });
  await expect(connect(world, source)).rejects.toMatchObject({ code: 'mcp_auth_required' });
  const [page] = pages;
  if (page === undefined) throw new Error('no address was emitted');
  await fetch(page);
  await signedIn.promise;
  const connection = await connect(world, source);
  expect(connection.tools).toHaveLength(1);
  await connection.close();
});

test.each([
  ['an endpoint with a shell in it', { authorization_endpoint: 'a:$(touch C)?x=1' }],
  ['a file as endpoint', { authorization_endpoint: 'file:///etc/passwd' }],
  ['a script as endpoint', { authorization_endpoint: 'javascript:alert(1)' }],
  ['http on a public host', { token_endpoint: 'http://example.com/token' }],
  ['a server without S256', { code_challenge_methods_supported: ['plain'] }],
  ['another issuer', { issuer: 'https://evil.example' }],
])('metadata are refused for %s, before any sign-in', async (_, metadata) => {
  verifies('S99', 'S100', 'S101', 'S103');
  await using world = await openOAuthWorld({ metadata });
  const { source, pages } = sourceOf(world);
  await expect(source.renew(CHALLENGE)).rejects.toMatchObject({ code: 'mcp_failed' });
  expect(pages).toEqual([]);
  expect(world.asked.filter((path) => path.startsWith('/register'))).toEqual([]);
});

test('an authorization server for another resource is refused', async () => {
  verifies('S104');
  await using world = await openOAuthWorld({ resource: { resource: 'https://evil.example/mcp' } });
  const { source, pages } = sourceOf(world);
  await expect(source.renew(CHALLENGE)).rejects.toMatchObject({ code: 'mcp_failed' });
  expect(pages).toEqual([]);
});

test('an answer of another issuer is refused, and its code is unused', async () => {
  verifies('S101');
  await using world = await openOAuthWorld({ answer: { iss: 'https://evil.example' } });
  const { source } = sourceOf(world);
  await expect(source.renew(CHALLENGE)).rejects.toMatchObject({ code: 'mcp_failed' });
  expect(world.tokenRequests).toEqual([]);
});

test('a configured client belongs to the first authorization server that used it', async () => {
  verifies('S101', 'O-41');
  await using world = await openOAuthWorld();
  const storage = memoryStorage();
  const config = { clientId: 'mine', clientSecret: 'quiet' };
  await sourceOf(world, { storage, config }).source.renew(CHALLENGE);
  expect(storage.record?.client).toEqual({ client_id: 'mine', issuer: expect.stringContaining(world.origin) });
  expect(world.asked.filter((path) => path.startsWith('/register'))).toEqual([]);
  await using other = await openOAuthWorld();
  storage.record = { client: { client_id: 'mine', issuer: world.origin } };
  const { source, pages } = sourceOf(other, { storage, config });
  await expect(source.renew(CHALLENGE)).rejects.toMatchObject({ code: 'mcp_failed' });
  expect([pages, other.tokenRequests]).toEqual([[], []]);
});

test('configured addresses replace discovery; incomplete and unsafe ones are refused', async () => {
  verifies('GAP-43', 'O-41', 'S99');
  await using world = await openOAuthWorld();
  const config = {
    clientId: 'mine',
    authorizationUrl: `${world.origin}/authorize`,
    tokenUrl: `${world.origin}/token`,
    scopes: ['read', 'write'],
    audiences: ['a', 'b'],
  };
  const { source, pages } = sourceOf(world, { config });
  await source.renew(CHALLENGE);
  expect(world.asked.filter((path) => path.includes('oauth-authorization-server'))).toEqual([]);
  expect(pages[0]?.searchParams.getAll('audience')).toEqual(['a', 'b']);
  expect(pages[0]?.searchParams.get('client_id')).toBe('mine');
  const half = sourceOf(world, { config: { tokenUrl: `${world.origin}/token` } });
  await expect(half.source.renew(CHALLENGE)).rejects.toMatchObject({ code: 'invalid_options' });
  const unsafe = sourceOf(world, { config: { ...config, authorizationUrl: 'javascript:alert(1)' } });
  await expect(unsafe.source.renew(CHALLENGE)).rejects.toMatchObject({ code: 'mcp_failed' });
});

test('the metadata cannot point to a network that the server is not in', async () => {
  verifies('S103');
  const reached: string[] = [];
  const source = new OAuthSource({
    // A public address; what it says comes from the test.
    serverUrl: new URL('https://93.184.215.14/mcp'),
    storage: memoryStorage(),
    config: {},
    fetch: async (url) => {
      reached.push(String(url));
      return Response.json({
        resource: 'https://93.184.215.14/mcp',
        authorization_servers: ['https://169.254.169.254/latest'],
      });
    },
    onAuthorizationUrl: () => undefined,
    patience: 'wait',
  });
  await expect(source.renew(CHALLENGE)).rejects.toMatchObject({ code: 'mcp_failed' });
  expect(reached.filter((url) => url.includes('169.254'))).toEqual([]);
});

test('an endless answer is cut', async () => {
  verifies('S103');
  await using world = await openOAuthWorld();
  const endless = () =>
    new Response(new ReadableStream({ pull: (control) => control.enqueue(new Uint8Array(65_536)) }));
  const { source, pages } = sourceOf(world, { fetch: async () => endless() });
  await expect(source.renew(CHALLENGE)).rejects.toMatchObject({ code: 'mcp_failed' });
  expect(pages).toEqual([]);
});

test('the token goes only to its server, and a configured header overrides it', async () => {
  verifies('S104');
  const seen: (readonly [string, string | null])[] = [];
  const send = authorizedFetch({
    serverUrl: new URL('https://a.example/mcp'),
    source: { token: async () => 'secret', renew: async () => false },
    fetch: async (url, init) => {
      seen.push([String(url), new Headers(init?.headers).get('authorization')]);
      return new Response('ok');
    },
  });
  await send('https://a.example/mcp');
  await send('https://b.example/mcp');
  await send('https://a.example/mcp', { headers: { authorization: 'Basic mine' } });
  expect(seen).toEqual([
    ['https://a.example/mcp', 'Bearer secret'],
    ['https://b.example/mcp', null],
    ['https://a.example/mcp', 'Basic mine'],
  ]);
});

test('a server that refuses every token is abandoned', async () => {
  let requests = 0;
  const send = authorizedFetch({
    serverUrl: new URL('https://a.example/mcp'),
    source: { token: async () => 'secret', renew: async () => true },
    fetch: async () => {
      requests += 1;
      return new Response('no', { status: 401 });
    },
  });
  await expect(send('https://a.example/mcp')).rejects.toMatchObject({ code: 'mcp_auth_required' });
  expect(requests).toBe(4);
});
