import { AgentError } from '@qwen/protocol';
import { expect, test } from 'vitest';
import { createControlFixture } from '../../../test/control-fixture.js';

test('set_effort changes the agent and reports whether the model supports it', async () => {
  const { app, happenings } = createControlFixture();
  expect(await app.request('set_effort', { effort: 'high' })).toEqual({ applied: true });
  await app.request('set_model', { model: 'second' });
  expect(await app.request('set_effort', { effort: 'low' })).toEqual({ applied: false });
  expect(await app.request('set_effort', { effort: null })).toEqual({ applied: true });
  expect(happenings).toEqual(['effort high', 'effort low', 'effort undefined']);
});

test('set_max_thinking_tokens selects an effort, and refuses to disable thinking', async () => {
  const { app, happenings } = createControlFixture();
  expect(await app.request('set_max_thinking_tokens', { max_thinking_tokens: 8_000 })).toEqual({ applied: true });
  expect(await app.request('set_max_thinking_tokens', { max_thinking_tokens: null })).toEqual({ applied: true });
  expect(await app.request('set_max_thinking_tokens', { thinking_display: 'summarized' })).toEqual({ applied: true });
  for (const payload of [{ max_thinking_tokens: 0 }, { max_thinking_tokens: 100, thinking_display: 'omitted' }]) {
    await expect(app.request('set_max_thinking_tokens', payload)).rejects.toMatchObject({ code: 'invalid_payload' });
  }
  expect(happenings).toEqual(['effort medium', 'effort undefined']);
});

test('an unknown effort is refused with the known ones', async () => {
  const { app, happenings } = createControlFixture();
  const refusal = { code: 'invalid_payload', message: expect.stringContaining('low, medium, high') };
  await expect(app.request('set_effort', { effort: 'lots' })).rejects.toMatchObject(refusal);
  await expect(app.request('initialize', { effort: 'lots', systemPrompt: 'x' })).rejects.toMatchObject(refusal);
  expect(happenings).toEqual([]);
});

test('an effort in initialize without effect is reported', async () => {
  const { app, happenings, notices } = createControlFixture({
    models: { effortStatus: async () => ({ applied: false, reason: 'It does not think.' }), list: async () => [] },
  });
  const status = { applied: false, reason: 'It does not think.' };
  expect(await app.request('initialize', { effort: 'high' })).toMatchObject({
    session_id: expect.any(String),
    effort_status: status,
  });
  expect(await app.request('initialize', {})).not.toHaveProperty('effort_status');
  await app.request('set_effort', { effort: 'high' });
  expect(happenings).toEqual(['effort high', 'effort high']);
  expect(notices).toEqual([{ code: 'effort_not_applied', message: 'It does not think.' }]);
});

test('get_available_models returns the models of the provider', async () => {
  const { app } = createControlFixture();
  expect(await app.request('get_available_models', {})).toEqual({
    models: [{ id: 'first', name: 'First', context_window: 1_000 }, { id: 'second' }],
    current: 'first',
  });
});

test('a provider without a list returns an empty one', async () => {
  const list = () => Promise.reject(new AgentError('network_unavailable', 'nobody there'));
  const { app } = createControlFixture({ models: { effortStatus: async () => ({ applied: true }), list } });
  expect(await app.request('get_available_models', {})).toEqual({
    models: [{ id: 'first' }],
    current: 'first',
    reason: 'nobody there',
  });
});

test('get_context_usage returns the total, and its parts unless declined', async () => {
  const { app } = createControlFixture();
  expect(await app.request('get_context_usage', { show_details: false })).toEqual({
    model: 'first',
    total_tokens: 30,
    max_tokens: 120,
    percentage: 25,
    is_estimated: true,
    modelName: 'first',
    totalTokens: 30,
    contextWindowSize: 120,
    isEstimated: true,
  });
  expect(await app.request('get_context_usage', {})).toMatchObject({
    categories: [
      { name: 'system prompt', tokens: 10 },
      { name: 'messages', tokens: 20 },
    ],
  });
});

test('get_usage_info returns the usage of each model', async () => {
  const { app } = createControlFixture();
  expect(await app.request('get_usage_info', {})).toEqual({
    session_id: '6b0d34d6-5c1f-4a52-8b0f-6b1c1f6c0a11',
    models: {
      first: {
        calls: 2,
        input_tokens: 10,
        output_tokens: 3,
        cache_read_input_tokens: 0,
        reasoning_output_tokens: 0,
      },
    },
    turns: 1,
  });
});
