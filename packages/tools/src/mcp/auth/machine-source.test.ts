import { generateKeyPairSync, verify } from 'node:crypto';
import type { McpOAuthConfig } from '@qwen/protocol';
import { openOAuthWorld, temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test, vi } from 'vitest';
import type { AuthRecord } from './auth-storage.js';
import { MachineSource } from './machine-source.js';

const CHALLENGE = { isStepUp: false };
const metadata = { token_endpoint_auth_methods_supported: ['client_secret_basic'] };

function sourceOf(serverUrl: URL, config: McpOAuthConfig, record?: AuthRecord) {
  const saved: (AuthRecord | undefined)[] = [];
  const storage = {
    load: () => Promise.resolve(record),
    save: (next: AuthRecord | undefined) => {
      saved.push(next);
      return Promise.resolve();
    },
  };
  return { source: new MachineSource({ serverUrl, storage, config, fetch }), saved };
}

const machine = { grantType: 'client_credentials', clientId: 'robot', clientSecret: 'quiet' } as const;

test('a client with a secret gets tokens without a user; concurrent requests share one, and none is stored', async () => {
  verifies('O-40', 'O-41', 'S104');
  await using world = await openOAuthWorld({ metadata });
  // The library would print to the terminal of the user.
  using warn = vi.spyOn(console, 'warn');
  const { source, saved } = sourceOf(world.serverUrl, { ...machine, scopes: ['read'] });
  expect(await source.token()).toBeUndefined();
  expect(await Promise.all([source.renew(CHALLENGE), source.renew(CHALLENGE)])).toEqual([true, true]);
  expect(await source.token()).toBe(world.tokens[0]);
  expect(world.tokenRequests).toEqual([
    { grant_type: 'client_credentials', scope: 'read', resource: world.serverUrl.href },
  ]);
  expect(world.asked.filter((path) => /authorize|register/.test(path))).toEqual([]);
  expect(warn).not.toHaveBeenCalled();
  expect(saved).toEqual([{ client: { client_id: 'robot', issuer: expect.stringContaining(world.origin) } }]);
});

test('a token with too few permissions is replaced by one with the scope that the server names', async () => {
  await using world = await openOAuthWorld({ metadata });
  const { source } = sourceOf(world.serverUrl, { ...machine, scopes: ['read'] });
  await source.renew({ isStepUp: true, scope: 'read write' });
  expect(world.tokenRequests[0]).toMatchObject({ scope: 'read write' });
});

test.each([
  ['the configuration names', { issuer: 'https://login.example' }, undefined],
  ['took the client first', {}, { client: { client_id: 'robot', issuer: 'https://login.example' } }],
])('a secret goes only to the authorization server that %s', async (_, config, record) => {
  verifies('S101');
  await using world = await openOAuthWorld({ metadata });
  const { source } = sourceOf(world.serverUrl, { ...machine, ...config }, record);
  await expect(source.renew(CHALLENGE)).rejects.toMatchObject({ code: 'mcp_failed' });
  expect(world.tokenRequests).toEqual([]);
});

test('a client with a key signs an assertion for the authorization server', async () => {
  verifies('O-41');
  await using world = await openOAuthWorld({
    metadata: { token_endpoint_auth_methods_supported: ['private_key_jwt'] },
  });
  await using folder = await temporaryFolder();
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await folder.write('key.pem', privateKey.export({ type: 'sec1', format: 'pem' }).toString());
  const config = { ...machine, clientSecret: undefined, privateKeyFile: `${folder.path}/key.pem` };
  const { source } = sourceOf(world.serverUrl, config);
  await source.renew(CHALLENGE);
  const [request] = world.tokenRequests;
  const [head = '', claims = '', signature = ''] = (request?.['client_assertion'] ?? '').split('.');
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
  expect(verify('sha256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url'))).toBe(true);
  const claimSet: unknown = JSON.parse(Buffer.from(claims, 'base64url').toString());
  expect(claimSet).toMatchObject({ iss: 'robot', sub: 'robot', aud: world.origin });
});

test.each([
  ['no key at all', { privateKey: 'top secret words' }],
  ['a file that is not there', { privateKeyFile: '/no/such/key.pem' }],
  ['a path that depends on the folder', { privateKeyFile: 'key.pem' }],
  ['no identity provider', { grantType: 'jwt_bearer' as const }],
  ['half an authorization server', { authorizationUrl: 'https://login.example/authorize' }],
])('a configuration with %s is refused by name, and shows no secret', async (_, wrong) => {
  await using world = await openOAuthWorld({ metadata });
  const { source } = sourceOf(world.serverUrl, { ...machine, ...wrong });
  const failure = source.renew(CHALLENGE);
  await expect(failure).rejects.toMatchObject({ code: 'invalid_options', message: expect.stringContaining('oauth') });
  await expect(failure).rejects.not.toMatchObject({ message: expect.stringContaining('top secret') });
  expect(world.tokenRequests).toEqual([]);
});

test('a machine without a client is refused at once', () => {
  const serverUrl = new URL('https://a.example/mcp');
  expect(() => sourceOf(serverUrl, { grantType: 'client_credentials' })).toThrow('clientId');
});

test('an identity provider issues an assertion for this authorization server and this MCP server', async () => {
  verifies('O-40', 'S104');
  await using world = await openOAuthWorld({ metadata });
  await using provider = await openOAuthWorld({
    token: { access_token: 'statement', issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag' },
  });
  const { source } = sourceOf(world.serverUrl, {
    ...machine,
    grantType: 'jwt_bearer',
    identityProvider: { tokenUrl: `${provider.origin}/token`, clientId: 'app', idToken: 'the user' },
  });
  expect(await source.renew(CHALLENGE)).toBe(true);
  expect(provider.tokenRequests).toEqual([
    expect.objectContaining({
      subject_token: 'the user',
      audience: world.origin,
      resource: world.serverUrl.href,
      client_id: 'app',
    }),
  ]);
  expect(world.tokenRequests[0]).toMatchObject({ assertion: 'statement' });
});

test('a workload sends the JWT of its file, which is read for each token', async () => {
  await using world = await openOAuthWorld({ metadata });
  await using folder = await temporaryFolder();
  await folder.write('token', 'first\n');
  const { source } = sourceOf(world.serverUrl, {
    ...machine,
    grantType: 'jwt_bearer',
    assertionFile: `${folder.path}/token`,
  });
  await source.renew(CHALLENGE);
  await folder.write('token', 'second\n');
  await source.renew(CHALLENGE);
  expect(world.tokenRequests.map((request) => request['assertion'])).toEqual(['first', 'second']);
});

test('a provider that issues no assertion asks for a sign-in there', async () => {
  await using world = await openOAuthWorld({ metadata });
  await using provider = await openOAuthWorld();
  const { source } = sourceOf(world.serverUrl, {
    ...machine,
    grantType: 'jwt_bearer',
    identityProvider: { tokenUrl: `${provider.origin}/token`, clientId: 'app', idToken: 'old' },
  });
  await expect(source.renew(CHALLENGE)).rejects.toMatchObject({ code: 'mcp_auth_required' });
  expect(world.tokenRequests).toEqual([]);
});
