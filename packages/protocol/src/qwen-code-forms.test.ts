import { expect, test } from 'vitest';
import { CONTROL_REQUESTS } from './control-requests.js';

const read = (subtype: 'get_context_usage' | 'get_available_models' | 'get_usage_info', result: object) => {
  const { fromOlderResult, result: schema } = CONTROL_REQUESTS[subtype];
  return schema.parse(fromOlderResult({ ...result }));
};

test('returns the context usage in the form of qwen-code', () => {
  const theirs = {
    modelName: 'm',
    totalTokens: 7,
    contextWindowSize: 100,
    isEstimated: true,
    breakdown: { skills: 0 },
  };
  expect(read('get_context_usage', theirs)).toMatchObject({
    model: 'm',
    total_tokens: 7,
    max_tokens: 100,
    is_estimated: true,
    breakdown: { skills: 0 },
  });
  const ours = { model: 'm', total_tokens: 7, is_estimated: false };
  expect(read('get_context_usage', ours)).toEqual(ours);
});

test('lists models without the current one', () => {
  expect(read('get_available_models', { models: [{ id: 'a' }] })).toEqual({ models: [{ id: 'a' }], current: '' });
  expect(read('get_available_models', { models: [], current: 'a' })).toEqual({ models: [], current: 'a' });
});

test('lists usage by model', () => {
  const theirs = { range: 'today', models: [{ model: 'm', requests: 2, inputTokens: 5, outputTokens: 3 }, 'odd'] };
  expect(read('get_usage_info', theirs)).toMatchObject({
    session_id: '',
    turns: 0,
    models: { m: { calls: 2, input_tokens: 5, output_tokens: 3 } },
  });
  const ours = { session_id: 's', models: { m: { calls: 1, input_tokens: 1, output_tokens: 1 } }, turns: 1 };
  expect(read('get_usage_info', ours)).toEqual(ours);
});
