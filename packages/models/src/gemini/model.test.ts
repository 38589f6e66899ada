import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createModel } from '@qwen/models';
import { startByteServer, temporaryFolder, verifies } from '@qwen/testkit';
import { afterEach, expect, test, vi } from 'vitest';
import { collect, failureOf, partsOf, QUESTION, textOf } from '../../test/collect.js';
import { eventsOf } from '../../test/families.js';
import { ManualClock } from '../../test/manual-clock.js';

const ANSWER = { chunks: [eventsOf(['{"candidates":[{"content":{"parts":[{"text":"Hi"}]},"finishReason":"STOP"}]}'])] };
const VERTEX = { project: 'my-project', location: 'europe-west1' };

afterEach(() => vi.unstubAllEnvs());

test('the Gemini API gets the configured key and ignores the environment', async () => {
  vi.stubEnv('GOOGLE_API_KEY', 'key-from-the-environment');
  vi.stubEnv('GOOGLE_GENAI_API_VERSION', 'v9');
  await using server = await startByteServer([ANSWER]);
  const model = await createModel({
    family: 'gemini',
    baseUrl: server.url,
    apiKey: 'key-1',
    headers: { 'x-extra': '3' },
  });
  expect(textOf(await collect(model, QUESTION))).toBe('Hi');
  expect(server.requests[0]?.url).toBe('/v1beta/models/model-under-test:streamGenerateContent?alt=sse');
  expect(server.requests[0]?.headers).toMatchObject({ 'x-goog-api-key': 'key-1', 'x-extra': '3' });
  expect(JSON.stringify(server.requests)).not.toContain('from-the-environment');
});

test('the retry delay in a Gemini error body is used', async () => {
  verifies('F58');
  const clock = new ManualClock();
  const body = { error: { code: 429, message: 'quota', details: [{ '@type': 'RetryInfo', retryDelay: '34.5s' }] } };
  await using server = await startByteServer([
    { status: 429, headers: { 'content-type': 'application/json' }, chunks: [JSON.stringify(body)] },
    ANSWER,
  ]);
  const parts = await collect(
    await createModel({ family: 'gemini', baseUrl: server.url, apiKey: 'key-1', clock }),
    QUESTION,
    { clock },
  );
  expect(partsOf(parts, 'retry')).toMatchObject([{ delayMs: 34_500 }]);
});

test('Vertex AI gets project, location and a machine token, not the key', async () => {
  await using folder = await temporaryFolder();
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const credentials = join(folder.path, 'credentials.json');
  await writeFile(
    credentials,
    JSON.stringify({
      type: 'service_account',
      client_email: 'agent@my-project.test',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      private_key_id: '1',
      // With another universe domain, the token is signed locally.
      universe_domain: 'universe.test',
    }),
  );
  vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', credentials);
  vi.stubEnv('GOOGLE_CLOUD_UNIVERSE_DOMAIN', 'universe.test');
  await using server = await startByteServer([ANSWER]);
  const model = await createModel({ family: 'gemini', baseUrl: server.url, apiKey: 'key-1', vertex: VERTEX });
  expect(textOf(await collect(model, QUESTION))).toBe('Hi');
  expect(server.requests[0]?.url).toBe(
    '/v1beta1/projects/my-project/locations/europe-west1/publishers/google/models/model-under-test:streamGenerateContent?alt=sse',
  );
  expect(server.requests[0]?.headers.authorization).toMatch(/^Bearer /);
  expect(server.requests[0]?.headers).not.toHaveProperty('x-goog-api-key');
});

test('missing Google credentials are an error', async () => {
  await using folder = await temporaryFolder();
  vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', join(folder.path, 'missing.json'));
  await using server = await startByteServer([ANSWER]);
  const parts = await collect(await createModel({ family: 'gemini', baseUrl: server.url, vertex: VERTEX }), QUESTION);
  expect(parts).toHaveLength(1);
  expect(failureOf(parts)).toMatchObject({ code: 'auth_failed', message: expect.stringContaining('missing.json') });
  expect(server.requests).toHaveLength(0);
});
