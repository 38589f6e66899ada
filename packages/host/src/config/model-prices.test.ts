import type { ModelOptions, Usage } from '@qwen/protocol';
import { expect, test } from 'vitest';
import { createModelPrices } from './model-prices.js';
import type { ModelRoutes } from './model-routes.js';

function pricesOf(prices: ModelOptions['prices'] = {}, baseUrl = 'http://localhost/v1') {
  const provider = { ok: true, settings: { family: 'openai-compatible', baseUrl }, defaultModel: 'm' } as const;
  const routes: ModelRoutes = {
    add: () => undefined,
    doubtAbout: () => undefined,
    provider,
    model: 'm',
    listed: [],
    of: () => ({ provider, prices }),
  };
  return createModelPrices(routes);
}

const used = (input: number, output: number, rest: Partial<Usage> = {}): Usage => ({
  input_tokens: input,
  output_tokens: output,
  ...rest,
});

test('cached and written tokens have their own prices', () => {
  const usage = used(1_000_000, 100_000, { cache_read_input_tokens: 600_000, cache_creation_input_tokens: 100_000 });
  expect(pricesOf().costOf('claude-sonnet-4', usage)).toBeCloseTo(0.3 * 3 + 0.6 * 0.3 + 0.1 * 3.75 + 0.1 * 15);
  const simple = { m: { input: 2, output: 4 } };
  expect(pricesOf(simple).costOf('m', usage)).toBeCloseTo(2 + 0.4);
});

test('long requests cost more if the list states so', () => {
  const prices = pricesOf();
  expect(prices.costOf('gemini-2.5-pro', used(200_000, 0))).toBeCloseTo(0.25);
  expect(prices.costOf('gemini-2.5-pro', used(300_000, 0))).toBeCloseTo(0.75);
  expect(prices.costOf('claude-sonnet-4-5', used(250_000, 0))).toBeCloseTo(1.5);
  expect(prices.costOf('qwen3-coder-plus', used(300_000, 0))).toBeCloseTo(1.8);
  expect(prices.costOf('qwen3-coder-plus', used(100_000, 0, { cache_read_input_tokens: 100_000 }))).toBeCloseTo(0.036);
});

test.for(['gpt-5', 'openai/gpt-5', 'gpt-5-2025-08-07', 'GPT-5', 'openrouter/openai/gpt-5', 'gpt-5-latest'])(
  '%s has the list price',
  (model) => {
    expect(pricesOf().costOf(model, used(1_000_000, 0))).toBeCloseTo(1.25);
    expect(pricesOf().isKnown(model)).toBe(true);
  },
);

test('newer models have their own prices, also after the name of a gateway', () => {
  const prices = pricesOf();
  expect(prices.costOf('claude-opus-4-5-20251101', used(1_000_000, 0))).toBeCloseTo(5);
  expect(prices.costOf('anthropic/claude-opus-4-5', used(0, 1_000_000))).toBeCloseTo(25);
  expect(prices.costOf('openai/gpt-5.2', used(1_000_000, 0))).toBeCloseTo(1.75);
  expect(prices.costOf('gemini-3-pro-preview', used(300_000, 0))).toBeCloseTo(1.2);
});

test.for(['deepseek-flash', 'deepseek-chat', 'deepseek/deepseek-v4-flash'])(
  '%s has the peak price of flash',
  (model) => {
    expect(pricesOf().costOf(model, used(1_000_000, 1_000_000))).toBeCloseTo(1.5);
  },
);

test.for(['gpt-5.15', 'gpt-5-turbo', 'my-gpt-5', 'qwen3:32b', 'constructor', ''])('%j has no price', (model) => {
  expect(pricesOf().costOf(model, used(1, 1))).toBeUndefined();
  expect(pricesOf().isKnown(model)).toBe(false);
});

test('a configured price overrides the list, even if it is 0; a cost stated by the provider is used', () => {
  const prices = pricesOf({ 'gpt-5': { input: 1, output: 1 }, local: { input: 0, output: 0 } });
  expect(prices.costOf('gpt-5', used(1_000_000, 0))).toBe(1);
  expect(prices.costOf('local', used(5, 5))).toBe(0);
  expect(prices.isKnown('local')).toBe(true);
  expect(pricesOf({}, 'https://openrouter.ai/api/v1').isKnown('any/model')).toBe(true);
});
