import { startByteServer } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { ManualClock } from '../test/manual-clock.js';
import { listModels } from './create-model.js';

const json = (value: unknown) => ({ headers: { 'content-type': 'application/json' }, chunks: [JSON.stringify(value)] });
const signal = new AbortController().signal;

test('an OpenAI-compatible endpoint receives the key and headers', async () => {
  const list = {
    data: [
      { id: 'a', context_length: 1_000 },
      { id: 'b', name: 'Bee', owned_by: 3 },
    ],
  };
  await using server = await startByteServer([json(list)]);
  const config = { family: 'openai-compatible', baseUrl: `${server.url}/v1/`, apiKey: 'sk-secret' } as const;
  expect(await listModels({ ...config, headers: { 'x-extra': '1' } }, { signal })).toEqual([
    { id: 'a', contextWindow: 1_000 },
    { id: 'b', name: 'Bee' },
  ]);
  expect(server.requests[0]).toMatchObject({
    method: 'GET',
    url: '/v1/models',
    headers: { authorization: 'Bearer sk-secret', 'x-extra': '1' },
  });
});

test('only Gemini models that generate content are listed', async () => {
  const list = {
    models: [
      {
        name: 'models/gemini-x',
        displayName: 'X',
        inputTokenLimit: 5,
        supportedGenerationMethods: ['generateContent'],
      },
      { name: 'models/embedding', supportedGenerationMethods: ['embedContent'] },
    ],
  };
  await using server = await startByteServer([json(list)]);
  const config = { family: 'gemini', baseUrl: server.url, apiKey: 'key-secret' } as const;
  expect(await listModels(config, { signal })).toEqual([{ id: 'gemini-x', name: 'X', contextWindow: 5 }]);
  expect(server.requests[0]).toMatchObject({
    url: '/v1beta/models?pageSize=1000',
    headers: { 'x-goog-api-key': 'key-secret' },
  });
});

test('errors are typed and contain no secrets', async () => {
  await using server = await startByteServer([
    { status: 401, chunks: ['{"error":{"message":"bad key sk-secret"}}'] },
    { headers: { 'content-type': 'text/html' }, chunks: ['<html>'] },
    json({ data: 'none' }),
  ]);
  const config = { family: 'openai-compatible', baseUrl: server.url, apiKey: 'sk-secret' } as const;
  const refused = await listModels(config, { signal }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'auth_failed' });
  expect(JSON.stringify([refused, String(refused)])).not.toContain('sk-secret');
  await expect(listModels(config, { signal })).rejects.toMatchObject({ code: 'bad_model_response' });
  await expect(listModels(config, { signal })).rejects.toMatchObject({ code: 'bad_model_response' });
  const vertex = { family: 'gemini', vertex: { project: 'p', location: 'l' } } as const;
  await expect(listModels(vertex, { signal })).rejects.toMatchObject({ code: 'invalid_request' });
});

test('an endpoint that does not respond is a timeout', async () => {
  const clock = new ManualClock();
  await using server = await startByteServer([{ chunks: [], ending: 'hang' }]);
  const listing = listModels({ family: 'openai-compatible', baseUrl: server.url, clock }, { signal });
  const message = `No list of models from ${server.url}/models within 10 s.`;
  const outcome = expect(listing).rejects.toMatchObject({ code: 'timeout', message });
  await clock.fire(10_000);
  await outcome;
});

test.for<[string, unknown, readonly object[]]>([
  [
    'entries that cannot be read are skipped',
    { data: [{ id: 'a' }, { name: 'x' }, null, { id: 5 }, { id: 'b', context_length: '32768' }, { id: 'a' }] },
    [{ id: 'a' }, { id: 'b', contextWindow: 32_768 }],
  ],
  ['names alone', { data: ['a', 'b'] }, [{ id: 'a' }, { id: 'b' }]],
  ['the list itself', [{ id: 'a' }], [{ id: 'a' }]],
  [
    'impossible windows',
    {
      data: [
        { id: 'a', context_length: -1 },
        { id: 'b', context_length: 1e99 },
        { id: 'c', context_length: 0.5 },
      ],
    },
    [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
  ],
])('a list of a gateway: %s', async ([, list, models]) => {
  await using server = await startByteServer([json(list)]);
  expect(await listModels({ family: 'openai-compatible', baseUrl: server.url }, { signal })).toEqual(models);
});
