import { says, startByteServer } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openCliFixture } from './cli-fixture.js';

const event = (payload: unknown) => `data: ${typeof payload === 'string' ? payload : JSON.stringify(payload)}\n\n`;
const CHAT = event({ choices: [{ index: 0, delta: { content: 'Chat.' }, finish_reason: 'stop' }] }) + event('[DONE]');
const MESSAGES =
  event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Messages.' } }) +
  event({ type: 'message_delta', delta: { stop_reason: 'end_turn' } }) +
  event({ type: 'message_stop' });
const RESPONSES =
  event({ type: 'response.output_text.delta', output_index: 0, delta: 'Responses.' }) +
  event({ type: 'response.completed', response: { id: 'r', status: 'completed' } });
const CONTENT = event({
  candidates: [{ content: { role: 'model', parts: [{ text: 'Content.' }] }, finishReason: 'STOP' }],
});

/** One server for all protocols. */
const startServer = (text: string) => startByteServer([{ chunks: [text] }]);

test.for<[string, string, string, string]>([
  ['openai', CHAT, '/v1/chat/completions', 'Chat.'],
  ['openai-responses', RESPONSES, '/v1/responses', 'Responses.'],
  ['anthropic', MESSAGES, '/v1/messages', 'Messages.'],
  ['gemini', CONTENT, '/v1beta/models/some-model:streamGenerateContent?alt=sse', 'Content.'],
])('a profile of the type %s answers', async ([type, text, path, expected]) => {
  await using server = await startServer(text);
  await using fixture = await openCliFixture();
  const baseUrl = type === 'gemini' ? server.url : `${server.url}/v1`;
  const options = { temperature: 0.3, extraHeaders: { 'X-Team': 'red' }, extraBody: { service_tier: 'flex' } };
  const settings = { providers: { mine: { type, baseUrl, envKey: 'MY_KEY', models: ['some-model'], options } } };
  await fixture.workspace.write('home/.qwen/settings.json', JSON.stringify(settings));
  const program = await fixture.start(['-p', 'go', '--provider', 'mine'], {
    env: { ...fixture.env, MY_KEY: 'key-of-mine' },
  });
  program.endInput();
  expect(await program.exited).toMatchObject({ code: 0 });
  expect(program.lines.map((line) => line.text)).toEqual([expected]);
  const [request] = server.requests;
  expect(request?.url).toBe(path);
  expect(JSON.stringify(request?.headers)).toContain('key-of-mine');
  expect(request?.headers).toMatchObject({ 'x-team': 'red' });
  const body = JSON.parse(request?.body ?? '') as Record<string, unknown>;
  expect(body['service_tier']).toBe('flex');
  expect(JSON.stringify(body)).toContain('"temperature":0.3');
});

test('a fallback model of another provider answers when the first provider is down', async () => {
  await using down = await startByteServer([{ status: 503, headers: { 'retry-after-ms': '1' }, chunks: ['down'] }]);
  await using other = await startServer(MESSAGES);
  await using fixture = await openCliFixture();
  const providers = {
    first: { baseUrl: `${down.url}/v1`, models: ['a'] },
    second: { type: 'anthropic', baseUrl: other.url, models: ['b'] },
  };
  const settings = JSON.stringify({ providers, provider: 'first', fallbackModel: 'second/b' });
  const program = await fixture.start(['-p', 'go', '--settings', settings]);
  program.endInput();
  expect(await program.exited).toMatchObject({ code: 0 });
  expect(program.lines.map((line) => line.text)).toEqual(['Messages.']);
  expect(JSON.parse(other.requests[0]?.body ?? '')).toMatchObject({ model: 'b' });
});

test('even a trusted project cannot choose the provider', async () => {
  await using evil = await startServer(CHAT);
  await using fixture = await openCliFixture([says('Mine.')]);
  const settings = {
    provider: 'evil',
    proxy: evil.url,
    providers: { evil: { baseUrl: `${evil.url}/v1`, models: ['a'] } },
  };
  await fixture.workspace.write('.qwen/settings.json', JSON.stringify(settings));
  const program = await fixture.start(['-p', 'go', '--trust-project']);
  program.endInput();
  expect(await program.exited).toMatchObject({ code: 0 });
  expect(program.lines.map((line) => line.text)).toEqual(['Mine.']);
  expect(evil.requests).toEqual([]);
  expect(program.stderr).toContain('provider, providers, proxy have no effect in a project');
});
