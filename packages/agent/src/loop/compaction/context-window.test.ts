import { expect, test } from 'vitest';
import { ContextWindows, DEFAULT_WINDOW, knownWindow } from './context-window.js';

test.each([
  ['qwen3-coder-plus-2025-09-23', 1_000_000],
  ['Qwen/Qwen3-Coder-480B', 262_144],
  ['qwen2.5-coder:32b', 32_768],
  ['qwen3:32b', 131_072],
  ['anthropic/claude-sonnet-4.5', 200_000],
  ['us.anthropic.claude-opus-4-1-v1:0', 200_000],
  ['glm-4.6', 200_000],
  ['moonshotai/kimi-k2-0905', 262_144],
  ['MiniMax-M2', 196_608],
  ['kimi-k2.5', 262_144],
  ['moonshotai/Kimi-K2-Instruct', 131_072],
  ['gpt-5.2-codex', 272_000],
  ['gpt-5-chat-latest', 128_000],
  ['glm-4.6v', 131_072],
  ['Meta-Llama-3-8B-Instruct', 8_192],
  ['grok-4-1-fast-reasoning', 2_000_000],
  ['deepseek-coder:6.7b', 16_384],
  ['smollm2-135m', undefined],
  ['openai/gpt-oss-120b', 131_072],
  ['x-ai/grok-4', 256_000],
  ['llama3.1:8b', 131_072],
  ['deepseek-chat', 128_000],
  ['moonshot-v1-8k', 8_000],
  ['doubao-pro-256k-241115', 256_000],
  ['qwen2.5-14b-instruct-1m', 1_000_000],
  ['yi-34b-chat-16k:q4', 16_000],
  ['o1-mini', 128_000],
  ['qwen2:7b', 32_768],
  ['some-3b-kit', undefined],
  ['my-own-model', undefined],
])('%s has %s tokens', (model, tokens) => {
  expect(knownWindow(model)).toBe(tokens);
});

test('an unknown model has the default window until the provider answers, which is asked once', async () => {
  const asked: string[] = [];
  const answer = Promise.withResolvers<number | undefined>();
  const windows = new ContextWindows({ configured: undefined, lookUp: (model) => (asked.push(model), answer.promise) });
  windows.lookUp('mine', 100);
  expect(asked).toEqual([]);
  for (const model of ['mine', 'mine']) windows.lookUp(model, 30_000);
  expect([windows.of('mine'), windows.known('mine')]).toEqual([DEFAULT_WINDOW, undefined]);
  answer.resolve(40_000);
  await answer.promise;
  expect([windows.of('mine'), windows.known('mine')]).toEqual([40_000, 40_000]);
  expect(asked).toEqual(['mine']);
});

test('a window listed by the provider overrides the table, but not the configuration', async () => {
  const lookUp = (model: string) => Promise.resolve(model === 'qwen3-coder' ? 32_768 : undefined);
  const windows = new ContextWindows({ configured: (model) => (model === 'set' ? 9_000 : undefined), lookUp });
  for (const model of ['qwen3-coder', 'gpt-4o', 'set']) windows.lookUp(model, 30_000);
  expect(windows.of('qwen3-coder')).toBe(262_144);
  await Promise.resolve();
  expect(['qwen3-coder', 'gpt-4o', 'set'].map((model) => windows.of(model))).toEqual([32_768, 128_000, 9_000]);
});

test('the smallest window of the models that answer for a router counts', async () => {
  const windows = new ContextWindows({ configured: undefined, lookUp: async () => 2_000_000 });
  const windowAfter = (model: string, answering: string) => {
    windows.noteAnswer(model, answering);
    return windows.of(model);
  };
  expect(windows.of('openrouter/auto')).toBe(DEFAULT_WINDOW);
  expect(windowAfter('openrouter/auto', 'unheard/of')).toBe(DEFAULT_WINDOW);
  expect(windowAfter('openrouter/auto', 'anthropic/claude-sonnet-4.5')).toBe(200_000);
  expect(windowAfter('openrouter/auto', 'openai/gpt-4o')).toBe(128_000);
  expect(windowAfter('openrouter/auto', 'google/gemini-2.5-pro')).toBe(128_000);
  windows.lookUp('openrouter/auto', 30_000);
  await Promise.resolve();
  expect(windows.of('openrouter/auto')).toBe(128_000);
  // A name with a window stays as it is: gateways answer with names of their own.
  expect(windowAfter('gpt-4o', 'gpt-4')).toBe(128_000);
});

test('a provider that lists no models leaves the default', async () => {
  const windows = new ContextWindows({ configured: undefined, lookUp: () => Promise.reject(new Error('404')) });
  windows.lookUp('mine', 30_000);
  expect(windows.of('mine')).toBe(DEFAULT_WINDOW);
  await Promise.resolve();
  expect(windows.of('mine')).toBe(DEFAULT_WINDOW);
});

test.each([
  ["This model's maximum context length is 32768 tokens. However, you requested 40000 tokens", 32_768],
  ['the request exceeds the available context size (n_ctx: 8192)', 8_192],
  ['prompt is too long: 41000 tokens > 40,000 maximum', 40_000],
  ['Range of input length should be [1, 30720]', 30_720],
  ['Your input exceeds the limit of 32,000 tokens', 32_000],
  ['context_length_exceeded', 35_000],
])('after "%s" the window is %d', (refusal, tokens) => {
  const windows = new ContextWindows({ configured: 100_000, lookUp: undefined });
  windows.learn('m', refusal, 50_000);
  expect([windows.of('m'), windows.of('other')]).toEqual([tokens, 100_000]);
});
