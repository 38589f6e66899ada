import { createModel } from '@qwen/models';
import { startByteServer, verifies } from '@qwen/testkit';
import { afterEach, expect, test, vi } from 'vitest';
import { collect, partsOf, QUESTION, textOf } from '../../test/collect.js';
import { eventsOf } from '../../test/families.js';
import { ManualClock } from '../../test/manual-clock.js';

const ANSWER = { chunks: [eventsOf(['{"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}', '[DONE]'])] };

afterEach(() => vi.unstubAllEnvs());

test('without a key no credential is sent, even from the environment', async () => {
  vi.stubEnv('OPENAI_API_KEY', 'sk-from-the-environment');
  vi.stubEnv('OPENAI_ORG_ID', 'org-from-the-environment');
  vi.stubEnv('OPENAI_PROJECT_ID', 'project-from-the-environment');
  await using server = await startByteServer([ANSWER]);
  const parts = await collect(
    await createModel({ family: 'openai-compatible', baseUrl: `${server.url}/v1` }),
    QUESTION,
  );
  expect(textOf(parts)).toBe('Hi');
  expect(server.requests[0]?.url).toBe('/v1/chat/completions');
  expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
  expect(JSON.stringify(server.requests)).not.toContain('from-the-environment');
});

test('a key is sent as a bearer token, and configured headers override', async () => {
  await using server = await startByteServer([ANSWER]);
  const config = { family: 'openai-compatible', baseUrl: server.url, apiKey: 'sk-1' } as const;
  await collect(await createModel(config), QUESTION);
  await collect(await createModel({ ...config, headers: { Authorization: 'Custom 2', 'x-extra': '3' } }), QUESTION);
  expect(server.requests[0]?.headers).toMatchObject({ authorization: 'Bearer sk-1' });
  expect(server.requests[1]?.headers).toMatchObject({ authorization: 'Custom 2', 'x-extra': '3' });
});

test('a response without streaming is read', async () => {
  const body = JSON.stringify({ choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] });
  await using server = await startByteServer([
    { headers: { 'content-type': 'application/json' }, chunks: [body.slice(0, 9), body.slice(9)] },
  ]);
  const parts = await collect(await createModel({ family: 'openai-compatible', baseUrl: server.url }), QUESTION);
  expect(parts.map((part) => part.type)).toEqual(['start', 'text_delta', 'finish']);
});

test('a truncated call ends with an error before the finish', async () => {
  verifies('F75');
  const call = { index: 0, id: 'a', function: { name: 'write_file', arguments: '{"path":"/a","content":"abc' } };
  await using server = await startByteServer([
    {
      chunks: [
        eventsOf([
          JSON.stringify({ choices: [{ delta: { tool_calls: [call] } }] }),
          JSON.stringify({ choices: [{ delta: {}, finish_reason: 'length' }] }),
          '[DONE]',
        ]),
      ],
    },
  ]);
  const parts = await collect(await createModel({ family: 'openai-compatible', baseUrl: server.url }), QUESTION);
  expect(partsOf(parts, 'tool_call_end')).toMatchObject([{ id: 'a', error: { code: 'invalid_tool_input' } }]);
  expect(parts.at(-1)).toMatchObject({ type: 'finish', reason: 'length' });
});

test('a call cut off with the connection never ends', async () => {
  verifies('F68');
  const call = { index: 0, id: 'a', function: { name: 'write_file', arguments: '{"path":"/a"}' } };
  await using server = await startByteServer([
    { chunks: [eventsOf([JSON.stringify({ choices: [{ delta: { tool_calls: [call] } }] })])], ending: 'cut' },
  ]);
  const limits = { retryTimeMs: 0 };
  const model = await createModel({ family: 'openai-compatible', baseUrl: server.url, limits });
  const types = (await collect(model, QUESTION)).map((part) => part.type);
  expect(types).toEqual(['start', 'tool_call_start', 'tool_call_delta', 'failure']);
});

const delta = (value: object) => eventsOf([JSON.stringify({ choices: [{ delta: value }] })]);
const callWith = (json: string) =>
  delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: json } }] });

test.each([
  ['a text', delta({ content: 'Hello' }), 2],
  ['a call', callWith('{"path":"/a"}'), 2],
  ['half a call', callWith('{"path":"/a'), 6],
  ['a call without arguments', callWith(''), 6],
  ['nothing', delta({}), 6],
])('a stream that ends without reason and marker after %s', async (_, chunk, requestCount) => {
  const clock = new ManualClock();
  await using server = await startByteServer([{ chunks: [chunk] }]);
  const limits = { retryTimeMs: 20_000 };
  const model = await createModel({ family: 'openai-compatible', baseUrl: server.url, clock, limits });
  const parts = await collect(model, QUESTION, { clock });
  expect(parts.at(-1)?.type).toBe(requestCount === 2 ? 'finish' : 'failure');
  if (requestCount === 2) expect(server.requests).toHaveLength(2);
  else expect(server.requests.length).toBeGreaterThan(2);
});

test('an endpoint that stated a reason before must state one', async () => {
  const clock = new ManualClock();
  await using server = await startByteServer([ANSWER, { chunks: [delta({ content: 'Hel' })] }]);
  const model = await createModel({ family: 'openai-compatible', baseUrl: server.url, clock });
  expect((await collect(model, QUESTION, { clock })).at(-1)).toMatchObject({ type: 'finish' });
  expect((await collect(model, QUESTION, { clock })).at(-1)).toMatchObject({ type: 'failure' });
});

test('a finished response closes a connection that stays open', async () => {
  const clock = new ManualClock();
  await using server = await startByteServer([{ ...ANSWER, ending: 'hang' }]);
  const model = await createModel({ family: 'openai-compatible', baseUrl: server.url, clock });
  expect((await collect(model, QUESTION)).at(-1)).toMatchObject({ type: 'finish' });
  await clock.fire(1_000);
  await expect(server.closed(1)).resolves.toBeUndefined();
});

test('a 5 MB delta and a thousand parallel calls are supported', async () => {
  verifies('F80');
  const long = 'x'.repeat(5 * 1024 * 1024);
  const calls = Array.from({ length: 1_000 }, (_, index) => ({
    index,
    id: `c${index}`,
    function: { name: 'f', arguments: '{}' },
  }));
  await using server = await startByteServer([
    {
      chunks: [
        eventsOf([
          JSON.stringify({ choices: [{ delta: { content: long } }] }),
          JSON.stringify({ choices: [{ delta: { tool_calls: calls }, finish_reason: 'tool_calls' }] }),
          '[DONE]',
        ]),
      ],
    },
  ]);
  const parts = await collect(await createModel({ family: 'openai-compatible', baseUrl: server.url }), QUESTION);
  expect(textOf(parts)).toBe(long);
  expect(partsOf(parts, 'tool_call_end')).toHaveLength(1_000);
});

test('an answer without choices is quoted, and requested again five times', async () => {
  const clock = new ManualClock();
  await using server = await startByteServer([{ chunks: ['{"choices":[]}'] }]);
  const model = await createModel({ family: 'openai-compatible', baseUrl: server.url, clock });
  const [failure] = partsOf(await collect(model, QUESTION, { clock }), 'failure');
  expect(failure?.error.message).toContain('without an answer: {"choices":[]}');
  expect(server.requests).toHaveLength(6);
});
