import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { fakeHost, messageOf } from '../../test/fake-host.js';

test('/stats', async () => {
  verifies('GAP-03');
  expect(await messageOf('/stats', fakeHost())).toBe(`Session: s-1
Turns: 2
Model calls: 3
Tokens: 40 in, 5 out
Of these: 8 cached, 1 reasoning
Cost: unknown (set modelOptions.prices)
Context: about 1200 of 8000 tokens`);
  expect(await messageOf('/stats model', fakeHost())).toBe(
    'Models:\n  qwen-plus: 3 calls, 40 tokens in (8 cached), 5 out (1 reasoning), cost unknown (set modelOptions.prices)',
  );
  const models = new Map(
    [0.25, 0.5].map((costUsd, index) => [
      `m${index}`,
      { calls: 1, inputTokens: 1, outputTokens: 1, cachedTokens: 0, reasoningTokens: 0, costUsd },
    ]),
  );
  const priced = fakeHost({ session: { ...fakeHost().host.session, usage: async () => ({ turns: 1, models }) } });
  expect(await messageOf('/stats', priced)).toContain('Cost: $0.7500\n');
  expect(await messageOf('/stats tools', fakeHost())).toBe('Tools:\n  list_directory: 1 call');
  const { host } = fakeHost();
  expect(await messageOf('/stats tools', fakeHost({ session: { ...host.session, records: async () => [] } }))).toBe(
    'There are no tool calls in this conversation.',
  );
});

test('/context lists what fills the window, with what is free', async () => {
  const { host } = fakeHost();
  const parts = [
    { name: 'system prompt', tokens: 1_200 },
    { name: 'memory files', tokens: 300 },
    { name: 'tools', tokens: 8_000 },
    { name: 'messages', tokens: 2_845 },
  ] as const;
  const usage = { totalTokens: 12_345, windowTokens: 131_072, isEstimated: false, parts };
  const withUsage = (more: object) =>
    fakeHost({ session: { ...host.session, contextUsage: async () => ({ ...usage, ...more }) } });
  expect(await messageOf('/context', withUsage({}))).toBe(
    [
      'Context: 12,345 of 131,072 tokens (9%)',
      '  system prompt      1,200    1%',
      '  memory files         300    0%',
      '  tools              8,000    6%',
      '  messages           2,845    2%',
      '  free             118,727   91%',
      'The sizes of the parts are estimates.',
    ].join('\n'),
  );
  expect(await messageOf('/context', withUsage({ windowTokens: undefined }))).not.toContain('free');
  expect(await messageOf('/context', withUsage({ parts: [] }))).toContain('nothing has been sent');
});
