import { expect, test } from 'vitest';
import { effortStatus } from './effort.js';
import { toParameters } from './gemini/request.js';
import { quirksOf } from './openai-compatible/quirks.js';
import { toBody } from './openai-compatible/request.js';
import type { ModelRequest } from './parts.js';

const request = (model: string): ModelRequest => ({ model, system: '', messages: [], tools: [], effort: 'medium' });
const bodyOf = (host: string, model: string) => toBody(request(model), quirksOf(host, model));
const thinkingOf = (model: string) =>
  toParameters(request(model), () => Promise.reject(new Error())).config?.thinkingConfig;

test.each([
  ['api.openai.com', 'gpt-5', { reasoning_effort: 'medium' }],
  ['api.openai.com', 'o4-mini', { reasoning_effort: 'medium' }],
  ['openrouter.ai', 'openai/gpt-oss-120b', { reasoning: { effort: 'medium' } }],
  ['openrouter.ai', 'openrouter/auto', { reasoning: { effort: 'medium' } }],
  ['dashscope.aliyuncs.com', 'qwen3-32b', { enable_thinking: true, thinking_budget: 8_192 }],
  ['dashscope-intl.aliyuncs.com', 'qwen-plus', { enable_thinking: true, thinking_budget: 8_192 }],
])('%s, %s gets its own setting', (host, model, words) => {
  expect(bodyOf(host, model)).toMatchObject(words);
  expect(effortStatus({ family: 'openai-compatible', baseUrl: `https://${host}/v1` }, model)).toEqual({
    applied: true,
  });
});

test('a limit of reasoning at OpenRouter', () => {
  const limited = (thinkingTokens: number) =>
    toBody(
      { ...request('qwen/qwen3-max-thinking'), thinkingTokens },
      quirksOf('openrouter.ai', 'qwen/qwen3-max-thinking'),
    );
  expect(limited(2_000)).toMatchObject({ reasoning: { max_tokens: 2_000 } });
  expect(limited(0)).toMatchObject({ reasoning: { enabled: false } });
});

test.each([
  ['gemini-2.5-pro', { includeThoughts: true, thinkingBudget: 8_192 }],
  ['gemini-3-pro-preview', { includeThoughts: true, thinkingLevel: 'HIGH' }],
])('%s gets its own setting', (model, words) => {
  expect(thinkingOf(model)).toEqual(words);
  expect(effortStatus({ family: 'gemini' }, model)).toEqual({ applied: true });
});

test.each([
  ['api.openai.com', 'gpt-4o'],
  ['api.openai.com', 'gpt-5-chat-latest'],
  ['dashscope.aliyuncs.com', 'qwen3-coder-plus'],
  ['dashscope.aliyuncs.com', 'qwen3-30b-a3b-instruct-2507'],
  ['localhost', 'llama3'],
])('%s, %s gets no setting, with a reason', (host, model) => {
  const { reasoning_effort, enable_thinking, thinking_budget } = { ...bodyOf(host, model) } as Record<string, unknown>;
  expect([reasoning_effort, enable_thinking, thinking_budget]).toEqual([undefined, undefined, undefined]);
  const status = effortStatus({ family: 'openai-compatible', baseUrl: `https://${host}/v1` }, model);
  expect(status).toMatchObject({ applied: false, reason: expect.stringContaining(model) });
});

test('older Gemini models get no setting', () => {
  expect(thinkingOf('gemini-2.0-flash')).toBeUndefined();
  expect(effortStatus({ family: 'gemini' }, 'gemini-2.0-flash')).toMatchObject({ applied: false });
});
