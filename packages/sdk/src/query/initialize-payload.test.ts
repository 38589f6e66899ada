import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { initializePayload, toTimeouts } from './initialize-payload.js';

test('initialize contains servers, prompts and deadlines', () => {
  verifies('O-05', 'O-32', 'O-35', 'F34');
  const instance = { connect: () => Promise.resolve(), close: () => Promise.resolve() };
  const long = 'x'.repeat(200 * 1024);
  expect(
    initializePayload({
      systemPrompt: long,
      canUseTool: () => ({ behavior: 'allow' }),
      timeout: { canUseTool: Infinity, mcpRequest: 120_000 },
      mcpServers: { shop: { type: 'sdk', name: 'other', instance }, files: { command: 'npx', args: ['files'] } },
    }),
  ).toEqual({
    hooks: null,
    protocol_version: 1,
    canUseTool: true,
    timeout: { canUseTool: 0, mcpRequest: 120_000 },
    sdkMcpServers: { shop: { type: 'sdk', name: 'shop' } },
    mcpServers: { files: { command: 'npx', args: ['files'] } },
    systemPrompt: long,
  });
});

test('the preset adds to the built-in prompt or leaves it alone', () => {
  const preset = { type: 'preset', preset: 'qwen_code' } as const;
  expect(initializePayload({ systemPrompt: { ...preset, append: 'more' } })).toMatchObject({
    appendSystemPrompt: 'more',
  });
  expect(initializePayload({ systemPrompt: preset })).toEqual({
    hooks: null,
    protocol_version: 1,
    canUseTool: false,
    timeout: {},
  });
});

test('initialize defaults to the timeout of control requests', () => {
  verifies('O-02');
  expect(toTimeouts({ controlRequest: 5 })).toEqual({ controlRequest: 5, initialize: 5 });
  expect(toTimeouts({ controlRequest: 5, initialize: Infinity })).toEqual({ controlRequest: 5, initialize: 0 });
});

test('initialize contains limits and subagents in either form', () => {
  verifies('O-42', 'M-21');
  const reviewer = { description: 'Reviews.', tools: ['read_file'] };
  const hooks = { Stop: [{ hookCallbackIds: ['hook_0'] }] };
  const outputSchema = { type: 'object' };
  const limits = { budget: { turns: 3 }, effort: 'low', mcpReady: 'background', mcpStartTimeout: 500 } as const;
  expect(
    initializePayload({ ...limits, agents: { reviewer }, fallbackModel: 'small' }, { hooks, outputSchema }),
  ).toMatchObject({
    ...limits,
    agents: [{ name: 'reviewer', ...reviewer }],
    fallbackModels: ['small'],
    hooks,
    outputSchema,
  });
  expect(initializePayload({ agents: [{ name: 'a' }] })).toMatchObject({ agents: [{ name: 'a' }] });
});
