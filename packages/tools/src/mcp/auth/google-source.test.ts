import { createServer } from 'node:http';
import { verifies } from '@qwen/testkit';
import { afterEach, expect, test, vi } from 'vitest';
import { GoogleSource, ImpersonationSource } from './google-source.js';

afterEach(() => vi.unstubAllEnvs());

/** The metadata service of Google Cloud, and the service that creates tokens for service accounts. */
async function openGoogle() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    request.on('end', () => {
      asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''} ${text}`);
      const isIam = request.url?.includes(':generateIdToken') === true;
      const answer = isIam
        ? { token: `id-${asked.length}` }
        : { access_token: 'adc', expires_in: 3600, token_type: 'Bearer' };
      response.writeHead(200, { 'content-type': 'application/json', 'metadata-flavor': 'Google' });
      response.end(request.url?.endsWith('/instance') === true ? 'ok' : JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = Object(server.address());
  vi.stubEnv('GCE_METADATA_HOST', `127.0.0.1:${port}`);
  vi.stubEnv('METADATA_SERVER_DETECTION', 'assume-present');
  vi.stubEnv('GOOGLE_CLOUD_PROJECT', 'project');
  vi.stubEnv('HOME', '/no/home');
  return {
    asked,
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('google_credentials uses the token of this machine, for Google hosts only', async () => {
  verifies('O-40', 'S104');
  await using google = await openGoogle();
  const source = new GoogleSource({ serverUrl: new URL('https://mcp.googleapis.com/mcp') });
  expect(await source.token()).toBe('adc');
  expect(google.asked.length).toBeGreaterThan(0);
  for (const elsewhere of [
    'https://googleapis.com.evil.example/',
    'https://evil.example/',
    'http://a.googleapis.com/',
  ]) {
    expect(() => new GoogleSource({ serverUrl: new URL(elsewhere) })).toThrow(
      expect.objectContaining({ code: 'invalid_options' }),
    );
  }
});

test('service_account_impersonation gets a token for one audience, renewed when it is rejected', async () => {
  verifies('O-39', 'O-40');
  await using google = await openGoogle();
  const source = new ImpersonationSource({
    targetAudience: 'audience.apps',
    targetServiceAccount: 'robot@project.iam',
    iamUrl: google.origin,
  });
  const token = await source.token();
  expect(await source.token()).toBe(token);
  const request = google.asked.find((line) => line.startsWith('POST'));
  expect(request).toContain('/v1/projects/-/serviceAccounts/robot%40project.iam:generateIdToken Bearer adc');
  expect(request).toContain('"audience":"audience.apps"');
  expect(await source.renew()).toBe(true);
  expect(await source.token()).not.toBe(token);
});
